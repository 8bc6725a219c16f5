package dev.wisent.cluster.shard;

import static dev.wisent.cluster.shard.TestShard.range;
import static dev.wisent.cluster.shard.TestShard.version;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.types.MaxKey;
import org.bson.types.MinKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A shard knows, on the primary and on a secondary, how many documents it has and does not own:
 * after writes past the routers, in transactions and outside, and after changes of what it owns.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrphanCountTest {
  private static final int KEYS = 100;
  private static final WriteConcern BOTH = new WriteConcern(2);
  private static final Document KEY = new Document("k", 1);

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private TestShard shard;
  private int major;

  @BeforeAll
  void start(@TempDir Path directory) {
    shard = new TestShard(directory, 2);
    shard.identify();
    shard.ownDatabase(1);
  }

  @AfterAll
  void stop() {
    shard.close();
  }

  private MongoDatabase database(int member) {
    return shard
        .client(member)
        .getDatabase("test")
        .withReadPreference(ReadPreference.primaryPreferred());
  }

  private MongoCollection<Document> direct(String name) {
    return database(0).getCollection(name).withWriteConcern(BOTH);
  }

  /** Ranges of keys, as pairs of numbers; the last may be open. */
  private record Owned(List<int[]> ranges) {
    boolean has(int key) {
      return ranges.stream().anyMatch(range -> range[0] <= key && key < range[1]);
    }

    Document[] documents() {
      return ranges.stream()
          .map(range -> range(bound(range[0]), bound(range[1])))
          .toArray(Document[]::new);
    }

    private static Document bound(int key) {
      return new Document("k", key < 0 ? new MinKey() : key >= KEYS ? new MaxKey() : key);
    }
  }

  private Owned randomRanges() {
    int[] points = random.ints(-5, KEYS + 5).distinct().limit(6).sorted().toArray();
    var ranges = new ArrayList<int[]>();
    for (int i = 0; i + 1 < points.length; i += 2) {
      boolean empty = points[i + 1] < 0 || points[i] >= KEYS;
      if (!empty) {
        ranges.add(
            new int[] {Math.max(points[i], -1), points[i + 1] > KEYS ? KEYS : points[i + 1]});
      }
    }
    return new Owned(ranges);
  }

  private void own(String name, Owned owned) {
    shard.own("test." + name, KEY, ++major, owned.documents());
  }

  private Document insertable(int id) {
    return new Document("_id", id).append("k", random.nextInt(KEYS)).append("n", 0);
  }

  private void check(String name, Owned owned, String after) {
    // What a majority has in the log the secondary has applied after this.
    direct("fence").insertOne(new Document());
    List<Document> all = direct(name).find().into(new ArrayList<>());
    long orphans = all.stream().filter(each -> !owned.has(each.getInteger("k"))).count();
    for (int member = 0; member < 2; member++) {
      String where = "seed %d, after %s, member %d".formatted(seed, after, member);
      Document statistics = database(member).runCommand(new Document("collStats", name));
      assertThat(((Number) statistics.get("numOrphanDocs")).longValue())
          .as(where)
          .isEqualTo(orphans);
      for (String command : List.of("{}", "{hint: {_id: 1}}", "{query: {n: {$gte: 0}}}")) {
        Document count = new Document("count", name);
        count.putAll(Document.parse(command));
        Document reply =
            database(member)
                .runCommand(
                    count.append("shardVersion", version(major, 0)),
                    ReadPreference.primaryPreferred());
        assertThat(((Number) reply.get("n")).longValue())
            .as(where + ": " + command)
            .isEqualTo(all.size() - orphans);
      }
      assertThat(read(member, name)).as(where).hasSize((int) (all.size() - orphans));
    }
  }

  private List<Document> read(int member, String name) {
    return database(member)
        .runCommand(
            new Document("find", name)
                .append("filter", new Document("n", new Document("$gte", 0)))
                .append("batchSize", 10_000)
                .append("shardVersion", version(major, 0)),
            ReadPreference.primaryPreferred())
        .get("cursor", Document.class)
        .getList("firstBatch", Document.class);
  }

  @Test
  void theCountIsExactAfterWritesAndChangesOfOwnership() {
    String name = "random";
    Owned owned = randomRanges();
    own(name, owned);
    direct(name).createIndex(KEY);
    direct(name).createIndex(new Document("n", 1));
    check(name, owned, "begin");
    int next = 0;
    for (int step = 0; step < 60; step++) {
      String done;
      switch (random.nextInt(8)) {
        case 0, 1 -> {
          int first = next;
          direct(name)
              .insertMany(
                  IntStream.range(0, 1 + random.nextInt(20))
                      .mapToObj(i -> insertable(first + i))
                      .toList());
          next += 20;
          done = "inserts";
        }
        case 2 -> {
          direct(name).updateMany(Filters.gte("k", random.nextInt(KEYS)), Updates.inc("n", 1));
          done = "updates";
        }
        case 3 -> {
          int to = random.nextInt(KEYS);
          direct(name).updateMany(Filters.lt("k", random.nextInt(KEYS)), Updates.set("k", to));
          done = "updates of keys";
        }
        case 4 -> {
          int from = random.nextInt(KEYS);
          direct(name).deleteMany(Filters.and(Filters.gte("k", from), Filters.lt("k", from + 20)));
          done = "deletes";
        }
        case 5 -> {
          done = transaction(name, next, random.nextInt(3));
          next += 20;
        }
        case 6 -> {
          owned = randomRanges();
          own(name, owned);
          done = "another ownership";
        }
        default -> {
          owned = new Owned(List.of(new int[] {-1, KEYS}));
          own(name, owned);
          done = "ownership of all";
        }
      }
      check(name, owned, done);
    }
  }

  /** Commits it, aborts it, or commits it in two phases. */
  private String transaction(String name, int next, int end) {
    try (ClientSession session = shard.client().startSession()) {
      session.startTransaction();
      var collection = direct(name).withWriteConcern(WriteConcern.ACKNOWLEDGED);
      for (int i = 0; i < 5; i++) {
        collection.insertOne(session, insertable(next + i));
      }
      collection.updateMany(session, Filters.lt("k", 30), Updates.set("k", random.nextInt(KEYS)));
      collection.deleteMany(session, Filters.gt("k", 90));
      switch (end) {
        case 0 -> {
          session.commitTransaction();
          return "a transaction";
        }
        case 1 -> {
          session.abortTransaction();
          return "an aborted transaction";
        }
        default -> {
          prepareAndCommit(session);
          return "a prepared transaction";
        }
      }
    }
  }

  /** The driver adds what makes it a statement of the transaction. */
  private void prepareAndCommit(ClientSession session) {
    MongoDatabase admin = shard.client().getDatabase("admin");
    Document both = new Document("w", 2);
    Document prepared =
        admin.runCommand(
            session, new Document("prepareTransaction", 1).append("writeConcern", both));
    admin.runCommand(
        session,
        new Document("commitTransaction", 1)
            .append("commitTimestamp", prepared.get("prepareTimestamp", BsonTimestamp.class))
            .append("writeConcern", both));
  }

  @Test
  void aRenamedCollectionIsCountedByItsNewName() {
    own("sharded", new Owned(List.of(new int[] {0, 10})));
    direct("plain")
        .insertMany(List.of(insertable(1).append("k", 5), insertable(2).append("k", 50)));
    direct("plain").createIndex(new Document("n", 1));
    check("sharded", new Owned(List.of(new int[] {0, 10})), "begin");
    shard.admin(
        new Document("renameCollection", "test.plain")
            .append("to", "test.sharded")
            .append("writeConcern", new Document("w", 2)));
    check("sharded", new Owned(List.of(new int[] {0, 10})), "rename");
  }

  /** A document that is not owned and comes while a cursor is open is not read by it. */
  @Test
  void aCursorLeavesOutWhatComesPastTheRouters() {
    Owned owned = new Owned(List.of(new int[] {0, 10}));
    own("cursor", owned);
    direct("cursor")
        .insertMany(
            IntStream.range(0, 20).mapToObj(i -> new Document("_id", i).append("k", 1)).toList());
    Document opened =
        database(0)
            .runCommand(
                new Document("find", "cursor")
                    .append("batchSize", 5)
                    .append("shardVersion", version(major, 0)))
            .get("cursor", Document.class);
    direct("cursor").insertOne(new Document("_id", 100).append("k", 50));
    Document rest =
        database(0)
            .runCommand(
                new Document("getMore", opened.getLong("id")).append("collection", "cursor"))
            .get("cursor", Document.class);
    assertThat(rest.getList("nextBatch", Document.class))
        .hasSize(15)
        .allMatch(each -> each.getInteger("k") == 1);
  }
}
