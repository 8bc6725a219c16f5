package dev.wisent.cluster.shard;

import static dev.wisent.cluster.shard.TestShard.range;
import static dev.wisent.cluster.shard.TestShard.version;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.bson.Document;

/**
 * Cursors on all members of a shard, while ranges go, are deleted and come back, in random order:
 * each cursor gives what the shard owned when it was opened, each document once. Counts are exact
 * at every moment.
 */
final class RandomCursors {
  private static final int KEYS = 60;
  private static final Document KEY = new Document("k", 1);
  private static final List<String> COMMANDS =
      List.of(
          "{find: 'c'}",
          "{find: 'c', sort: {k: -1}}",
          "{find: 'c', filter: {a: {$gte: 0}}, hint: {a: 1, k: 1}, projection: {_id: 0, k: 1}}",
          "{find: 'c', sort: {x: 1, _id: 1}}",
          "{find: 'c', sort: {_id: 1}}",
          "{aggregate: 'c', pipeline: [{$match: {x: 0}}, {$project: {k: 1}}]}");

  private final TestShard shard;
  private final int members;
  private final WriteConcern toAll;
  private final long seed;
  private final Random random;
  private final List<Open> cursors = new ArrayList<>();
  private final TreeSet<Integer> owned = new TreeSet<>();
  private final UUID uuid;
  private int major;
  private int ended;

  /** A cursor, with the keys that it has to give and has given. */
  private static final class Open {
    private final int member;
    private final String command;
    private final List<Integer> expected;
    private final List<Integer> given = new ArrayList<>();
    private long id;

    Open(int member, String command, List<Integer> expected) {
      this.member = member;
      this.command = command;
      this.expected = expected;
    }
  }

  /**
   * @param major the version that the collection has until then
   */
  RandomCursors(TestShard shard, int members, int major) {
    this.shard = shard;
    this.members = members;
    this.major = major;
    this.toAll = new WriteConcern(members);
    this.seed = Long.getLong("wisent.seed", System.nanoTime());
    this.random = new Random(seed);
    owned.addAll(IntStream.range(0, KEYS).boxed().toList());
    own();
    direct().createIndex(KEY);
    direct().createIndex(new Document("a", 1).append("k", 1));
    insert(owned.stream().toList());
    this.uuid =
        database(0, "test")
            .listCollections()
            .filter(new Document("name", "c"))
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

  private MongoCollection<Document> direct() {
    return database(0, "test").getCollection("c").withWriteConcern(toAll);
  }

  private Document run(int member, Document command) {
    return database(member, "test").runCommand(command, ReadPreference.primaryPreferred());
  }

  private void insert(List<Integer> keys) {
    direct()
        .insertMany(
            keys.stream()
                .map(k -> new Document("_id", k).append("k", k).append("a", k % 7).append("x", 0))
                .toList());
  }

  /** Tells the shard what it owns, as ranges; all members have it afterwards. */
  private void own() {
    var ranges = new ArrayList<Document>();
    for (int k = 0; k < KEYS; k++) {
      if (owned.contains(k) && !owned.contains(k - 1)) {
        int end = k;
        while (owned.contains(end)) {
          end++;
        }
        ranges.add(range(new Document("k", k), new Document("k", end)));
      }
    }
    shard.own("test.c", KEY, ++major, ranges.toArray(Document[]::new));
    database(0, "test").getCollection("fence").withWriteConcern(toAll).insertOne(new Document());
  }

  private Document routed(String json) {
    return Document.parse(json).append("shardVersion", version(major, 0));
  }

  private void open() {
    String json = COMMANDS.get(random.nextInt(COMMANDS.size()));
    var opened = new Open(random.nextInt(members), json, owned.stream().toList());
    Document command = routed(json);
    int batchSize = random.nextInt(15);
    if (json.startsWith("{agg")) {
      command.append("cursor", new Document("batchSize", batchSize));
    } else {
      command.append("batchSize", batchSize);
    }
    take(opened, run(opened.member, command), "firstBatch");
    cursors.add(opened);
  }

  private void take(Open cursor, Document reply, String batch) {
    Document results = reply.get("cursor", Document.class);
    cursor.id = results.getLong("id");
    results.getList(batch, Document.class).forEach(each -> cursor.given.add(each.getInteger("k")));
  }

  private void next() {
    if (cursors.isEmpty()) {
      return;
    }
    Open cursor = cursors.get(random.nextInt(cursors.size()));
    if (cursor.id != 0) {
      Document more =
          new Document("getMore", cursor.id)
              .append("collection", "c")
              .append("batchSize", 1 + random.nextInt(20));
      take(cursor, run(cursor.member, more), "nextBatch");
    }
    if (cursor.id == 0) {
      check(cursor);
      cursors.remove(cursor);
      ended++;
    }
  }

  private void check(Open cursor) {
    assertThat(cursor.given.stream().sorted().toList())
        .as("seed %d, member %d, %s", seed, cursor.member, cursor.command)
        .isEqualTo(cursor.expected);
  }

  private List<Integer> randomKeys() {
    int from = random.nextInt(KEYS);
    return IntStream.range(from, Math.min(KEYS, from + 1 + random.nextInt(25))).boxed().toList();
  }

  private void giveAway() {
    List<Integer> keys = randomKeys();
    owned.removeAll(keys);
    own();
    Document bounds =
        range(new Document("k", keys.getFirst()), new Document("k", keys.getLast() + 1));
    database(0, "config")
        .getCollection("rangeDeletions")
        .insertOne(
            new Document("_id", UUID.randomUUID())
                .append("nss", "test.c")
                .append("collectionUuid", uuid)
                .append("range", bounds)
                .append("whenToClean", random.nextBoolean() ? "now" : "delayed")
                .append("numOrphanDocs", 0L));
  }

  /** As a migration does: old documents go, new ones come, and then the range. */
  private void bringBack() {
    List<Integer> keys = randomKeys().stream().filter(k -> !owned.contains(k)).toList();
    if (keys.isEmpty()) {
      return;
    }
    clean();
    insert(keys);
    if (random.nextInt(4) == 0) {
      // It fails after its documents have come.
      direct().deleteMany(Filters.in("k", keys));
      return;
    }
    owned.addAll(keys);
    own();
  }

  private void clean() {
    shard.admin(new Document("cleanupOrphaned", "test.c"));
  }

  private void count() {
    int member = random.nextInt(members);
    for (String json : List.of("{count: 'c'}", "{count: 'c', query: {x: 0}}")) {
      assertThat(run(member, routed(json)).get("n", Number.class).intValue())
          .as("seed %d, member %d, %s", seed, member, json)
          .isEqualTo(owned.size());
    }
    assertThat(run(member, routed("{distinct: 'c', key: 'k'}")).getList("values", Integer.class))
        .as("seed %d, member %d, distinct", seed, member)
        .containsExactlyInAnyOrderElementsOf(owned);
  }

  void run(int steps) {
    for (int step = 0; step < steps; step++) {
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> open();
        case 3, 4, 5, 6, 7 -> next();
        case 8 -> giveAway();
        case 9 -> bringBack();
        case 10 -> clean();
        default -> count();
      }
    }
    while (!cursors.isEmpty()) {
      next();
    }
    assertThat(ended).as("seed %d", seed).isPositive();
    for (int member = 0; member < members; member++) {
      Document pinned =
          run(member, new Document("serverStatus", 1))
              .get("shardingStatistics", Document.class)
              .get("pinnedSnapshots", Document.class);
      assertThat(pinned).isEqualTo(new Document("snapshots", 0).append("cursors", 0));
    }
  }
}
