package dev.wisent.cluster.shard;

import static dev.wisent.cluster.shard.TestShard.range;
import static dev.wisent.cluster.shard.TestShard.version;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.Document;

/**
 * Cursors that are opened and read on all members at the same time as ranges go, are deleted and
 * come back. A cursor that the shard has opened for a version gives what is owned in that version.
 */
final class ConcurrentCursors {
  private static final int KEYS = 60;
  private static final int STALE_CONFIG = 13388;
  private static final Document KEY = new Document("k", 1);
  private static final List<String> COMMANDS =
      List.of(
          "{find: 'concurrent'}",
          "{find: 'concurrent', sort: {k: -1}}",
          "{find: 'concurrent', filter: {a: {$gte: 0}}, hint: {a: 1}}",
          "{find: 'concurrent', sort: {x: 1, _id: 1}}");

  private final TestShard shard;
  private final int members;
  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final TreeSet<Integer> owned = new TreeSet<>();
  private final AtomicInteger read = new AtomicInteger();
  private final UUID uuid;
  private int major;
  private volatile Placed placed;
  private volatile boolean stopped;

  /** What is owned in a version. */
  private record Placed(int major, List<Integer> keys) {}

  ConcurrentCursors(TestShard shard, int members) {
    this.shard = shard;
    this.members = members;
    owned.addAll(IntStream.range(0, KEYS).boxed().toList());
    own();
    documents().createIndex(KEY);
    documents().createIndex(new Document("a", 1));
    insert(owned.stream().toList());
    this.uuid =
        database(0, "test")
            .listCollections()
            .filter(new Document("name", "concurrent"))
            .first()
            .get("info", Document.class)
            .get("uuid", UUID.class);
  }

  private MongoDatabase database(int member, String name) {
    return shard
        .client(member)
        .getDatabase(name)
        .withReadPreference(ReadPreference.primaryPreferred());
  }

  private MongoCollection<Document> documents() {
    return database(0, "test")
        .getCollection("concurrent")
        .withWriteConcern(new WriteConcern(members));
  }

  private void insert(List<Integer> keys) {
    documents()
        .insertMany(
            keys.stream()
                .map(k -> new Document("_id", k).append("k", k).append("a", k % 7).append("x", 0))
                .toList());
  }

  private void own() {
    var ranges = new ArrayList<Document>();
    for (int k = 0; k < KEYS; k++) {
      if (owned.contains(k)) {
        ranges.add(range(new Document("k", k), new Document("k", k + 1)));
      }
    }
    major++;
    shard.own("test.concurrent", KEY, major, ranges.toArray(Document[]::new));
    placed = new Placed(major, owned.stream().toList());
  }

  /**
   * Changes what is owned, while threads read.
   *
   * @param readers how many for each member
   */
  void run(int changes, int readers) throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      var running = new ArrayList<Future<?>>();
      for (int i = 0; i < readers * members; i++) {
        int member = i % members;
        long ofThread = random.nextLong();
        running.add(threads.submit(() -> read(member, new Random(ofThread))));
      }
      try {
        for (int i = 0; i < changes; i++) {
          if (random.nextBoolean()) {
            giveAway();
          } else {
            bringBack();
          }
        }
      } finally {
        stopped = true;
      }
      for (Future<?> each : running) {
        each.get(60, TimeUnit.SECONDS);
      }
    }
    assertThat(read.get()).as("seed %d", seed).isGreaterThan(readers * members);
  }

  /** A cursor belongs to one session. */
  private void read(int member, Random ofThread) {
    try (ClientSession session = shard.client(member).startSession()) {
      readAll(member, session, ofThread);
    }
  }

  private void readAll(int member, ClientSession session, Random ofThread) {
    do {
      Placed before = placed;
      String json = COMMANDS.get(ofThread.nextInt(COMMANDS.size()));
      Document command =
          Document.parse(json)
              .append("batchSize", ofThread.nextInt(10))
              .append("shardVersion", version(before.major, 0));
      Document cursor;
      try {
        cursor = run(member, session, command);
      } catch (MongoCommandException e) {
        assertThat(e.getErrorCode()).isEqualTo(STALE_CONFIG);
        continue;
      }
      var keys = new ArrayList<Integer>();
      add(cursor, "firstBatch", keys);
      while (cursor.getLong("id") != 0) {
        cursor =
            run(
                member,
                session,
                new Document("getMore", cursor.getLong("id"))
                    .append("collection", "concurrent")
                    .append("batchSize", 1 + ofThread.nextInt(20)));
        add(cursor, "nextBatch", keys);
      }
      assertThat(keys.stream().sorted().toList())
          .as("seed %d, member %d, version %d, %s", seed, member, before.major, json)
          .isEqualTo(before.keys);
      read.incrementAndGet();
    } while (!stopped);
  }

  private Document run(int member, ClientSession session, Document command) {
    return database(member, "test")
        .runCommand(session, command, ReadPreference.primaryPreferred())
        .get("cursor", Document.class);
  }

  private static void add(Document cursor, String batch, List<Integer> keys) {
    cursor.getList(batch, Document.class).forEach(each -> keys.add(each.getInteger("k")));
  }

  private List<Integer> randomKeys() {
    int from = random.nextInt(KEYS);
    return IntStream.range(from, Math.min(KEYS, from + 1 + random.nextInt(25))).boxed().toList();
  }

  private void giveAway() {
    List<Integer> keys = randomKeys();
    owned.removeAll(keys);
    own();
    database(0, "config")
        .getCollection("rangeDeletions")
        .insertOne(
            new Document("_id", UUID.randomUUID())
                .append("nss", "test.concurrent")
                .append("collectionUuid", uuid)
                .append(
                    "range",
                    range(
                        new Document("k", keys.getFirst()), new Document("k", keys.getLast() + 1)))
                .append("whenToClean", "now")
                .append("numOrphanDocs", 0L));
  }

  private void bringBack() {
    List<Integer> keys = randomKeys().stream().filter(k -> !owned.contains(k)).toList();
    shard.admin(new Document("cleanupOrphaned", "test.concurrent"));
    if (!keys.isEmpty()) {
      insert(keys);
      owned.addAll(keys);
      own();
    }
  }
}
