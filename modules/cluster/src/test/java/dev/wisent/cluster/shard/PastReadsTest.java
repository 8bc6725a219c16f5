package dev.wisent.cluster.shard;

import static dev.wisent.cluster.shard.TestShard.failure;
import static dev.wisent.cluster.shard.TestShard.range;
import static dev.wisent.cluster.shard.TestShard.version;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.types.MaxKey;
import org.bson.types.MinKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads of routers at times since which ranges have come to a shard or have gone, on its primary
 * and on a secondary.
 */
class PastReadsTest {
  private static final Document KEY = new Document("k", 1);
  private static final UUID MIGRATION = new UUID(5, 6);

  @TempDir static Path directory;
  private static TestShard shard;

  @BeforeAll
  static void start() {
    shard = new TestShard(directory, 2);
    shard.identify();
    shard.ownDatabase(1);
    // From the first read of a state on the members keep them.
    for (int member = 0; member < 2; member++) {
      var unused = database(member).runCommand(snapshot("{find: 'none'}", null));
    }
  }

  @AfterAll
  static void stop() {
    shard.close();
  }

  private static MongoDatabase database(int member) {
    return shard
        .client(member)
        .getDatabase("test")
        .withReadPreference(ReadPreference.primaryPreferred());
  }

  private static MongoCollection<Document> collection(String name) {
    return database(0).getCollection(name).withWriteConcern(new WriteConcern(2));
  }

  private static void insert(String name, int from, int to) {
    collection(name)
        .insertMany(
            IntStream.range(from, to)
                .mapToObj(key -> new Document("_id", key).append("k", key))
                .toList());
  }

  private static Document snapshot(String command, BsonTimestamp time) {
    Document concern = new Document("level", "snapshot");
    if (time != null) {
      concern.append("atClusterTime", time);
    }
    return Document.parse(command).append("readConcern", concern);
  }

  private static Document read(int member, String command, BsonTimestamp time, int major) {
    return database(member)
        .runCommand(
            snapshot(command, time).append("shardVersion", version(major, 0)),
            ReadPreference.primaryPreferred());
  }

  private static List<Integer> keys(int member, String name, BsonTimestamp time, int major) {
    return read(member, "{find: '" + name + "', sort: {k: 1}, batchSize: 100}", time, major)
        .get("cursor", Document.class)
        .getList("firstBatch", Document.class)
        .stream()
        .map(found -> found.getInteger("k"))
        .toList();
  }

  private static void assertOwned(
      String name, BsonTimestamp time, int major, List<Integer> expected) {
    for (int member = 0; member < 2; member++) {
      assertThat(keys(member, name, time, major)).isEqualTo(expected);
      assertThat(
              read(
                      member,
                      "{aggregate: '" + name + "', pipeline: [{$count: 'n'}], cursor: {}}",
                      time,
                      major)
                  .get("cursor", Document.class)
                  .getList("firstBatch", Document.class))
          .isEqualTo(expected.isEmpty() ? List.of() : List.of(new Document("n", expected.size())));
      for (int key : List.of(5, 15)) {
        assertThat(
                read(member, "{find: '" + name + "', filter: {_id: " + key + "}}", time, major)
                    .get("cursor", Document.class)
                    .getList("firstBatch", Document.class))
            .hasSize(expected.contains(key) ? 1 : 0);
      }
    }
  }

  /** The time of a state that has all that was written. */
  private static BsonTimestamp now(String name) {
    collection("ticks").insertOne(new Document());
    BsonTimestamp time =
        database(0)
            .runCommand(snapshot("{find: '" + name + "'}", null))
            .get("cursor", Document.class)
            .get("atClusterTime", BsonTimestamp.class);
    collection("ticks").insertOne(new Document());
    return time;
  }

  private static List<Integer> numbers(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  private static Document bounds(int from, int to) {
    return range(new Document("k", from), new Document("k", to));
  }

  @Test
  void aStateIsReadWithItsOwnRanges() {
    shard.own("test.given", KEY, 1, bounds(0, 20));
    insert("given", 0, 20);
    BsonTimestamp all = now("given");
    shard.own("test.given", KEY, 2, bounds(0, 10));
    BsonTimestamp half = now("given");
    shard.own("test.given", KEY, 3, bounds(10, 20));
    assertOwned("given", all, 3, numbers(0, 20));
    assertOwned("given", half, 3, numbers(0, 10));
    assertOwned("given", now("given"), 3, numbers(10, 20));
  }

  /** It may not know of a range that has gone by that time. */
  @Test
  void aRouterWithAnotherVersionThanTheNewestIsToldSo() {
    shard.own("test.told", KEY, 1, bounds(0, 20));
    insert("told", 0, 20);
    BsonTimestamp time = now("told");
    shard.own("test.told", KEY, 2, bounds(0, 10));
    assertThat(failure(() -> keys(0, "told", time, 1)).getString("codeName").getValue())
        .isEqualTo("StaleConfig");
  }

  @Test
  void aShardThatHasHeardOfTheCollectionLaterHadNothingOfIt() {
    BsonTimestamp before = now("later");
    shard.own("test.later", KEY, 1);
    insert("later", 0, 20);
    BsonTimestamp nothing = now("later");
    shard.own("test.later", KEY, 2, bounds(0, 10));
    assertOwned("later", nothing, 2, List.of());
    for (int member = 0; member < 2; member++) {
      assertThat(keys(member, "later", before, 2)).isEmpty();
    }
  }

  @Test
  void aCollectionThatWasNotShardedIsRefused() {
    insert("plain", 0, 20);
    BsonTimestamp before = now("plain");
    shard.own("test.plain", KEY, 1, range(new Document("k", new MinKey()), new Document("k", 10)));
    shard.own(
        "test.plain",
        KEY,
        2,
        range(new Document("k", new MinKey()), new Document("k", new MaxKey())));
    for (int member = 0; member < 2; member++) {
      int of = member;
      assertThat(failure(() -> keys(of, "plain", before, 2)).getString("codeName").getValue())
          .isEqualTo("SnapshotUnavailable");
    }
  }

  private static UUID uuid(String name) {
    return new UUID(MIGRATION.getLeastSignificantBits(), name.hashCode());
  }

  private static Document call(String command, String name, int number) {
    return new Document(command, "test." + name)
        .append("id", new UUID(MIGRATION.getMostSignificantBits(), name.hashCode()))
        .append("uuid", uuid(name))
        .append("min", new Document("k", 10))
        .append("max", new Document("k", 20))
        .append("fromShard", "donor")
        .append("toShard", "first")
        .append("number", new Document("attempt", 1L).append("call", (long) number))
        .append("writeConcern", new Document("w", 2));
  }

  /** Has a range come to the shard, as far as its promise to take it. */
  private static void promise(String name) {
    shard.admin(
        new Document("_shardsvrCreateCollection", "test." + name)
            .append("uuid", uuid(name))
            .append("options", new Document())
            .append("indexes", List.of()));
    shard.admin(
        new Document("_shardsvrSetCollection", "test." + name)
            .append("uuid", uuid(name))
            .append("key", KEY)
            .append("unique", false)
            .append("version", version(1, 0))
            .append("ranges", List.of(bounds(0, 10)))
            .append("writeConcern", new Document("w", 2)));
    insert(name, 0, 10);
    shard.admin(
        call("_shardsvrRecvStart", name, 1)
            .append("key", KEY)
            .append("unique", false)
            .append("none", version(0, 0))
            .append("options", new Document())
            .append(
                "indexes", List.of(new Document("v", 2).append("key", KEY).append("name", "k_1"))));
    shard.admin(
        call("_shardsvrRecvDocuments", name, 2)
            .append("late", false)
            .append(
                "documents",
                numbers(10, 20).stream()
                    .map(key -> new Document("_id", key).append("k", key))
                    .toList()));
    shard.admin(call("_shardsvrRecvReady", name, 3).append("version", version(2, 0)));
  }

  private static Document decision(String name) {
    Document decision = call("_shardsvrRecvCommit", name, 0);
    decision.remove("number");
    return decision;
  }

  /** It hears of the decision after it: until then its tables do not have the range. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRangeIsOwnedFromTheTimeOfTheDecisionOn(boolean settled) {
    String name = "arriving" + settled;
    promise(name);
    BsonTimestamp before = now(name);
    BsonTimestamp decided = now(name);
    shard.admin(decision(name).append("decidedAt", decided));
    BsonTimestamp after = now(name);
    if (settled) {
      Document end = call("_shardsvrEndMove", name, 0).append("donor", false);
      end.remove("number");
      shard.admin(end);
    }
    assertOwned(name, before, 2, numbers(0, 10));
    assertOwned(name, decided, 2, numbers(0, 20));
    assertOwned(name, after, 2, numbers(0, 20));
  }

  /** Another primary of the donor knows that it was decided, and not when. */
  @Test
  void aDecisionWithoutATimeMakesTheStatesBeforeItUnavailable() {
    promise("unknown");
    BsonTimestamp before = now("unknown");
    shard.admin(decision("unknown"));
    for (int member = 0; member < 2; member++) {
      int of = member;
      assertThat(failure(() -> keys(of, "unknown", before, 2)).getString("codeName").getValue())
          .isEqualTo("SnapshotUnavailable");
    }
    assertOwned("unknown", now("unknown"), 2, numbers(0, 20));
  }
}
