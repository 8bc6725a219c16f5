package dev.wisent.cluster.shard;

import static dev.wisent.cluster.shard.TestShard.range;
import static dev.wisent.cluster.shard.TestShard.version;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.MaxKey;
import org.bson.types.MinKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rule H9: a cursor of a router gives the documents of a range that the shard has given away since
 * it was opened as the shard had them, whatever is deleted meanwhile, on the primary and on a
 * secondary; and it gives none of a range that has come since.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CursorsOfGivenRangesTest {
  private static final int DOCUMENTS = 60;
  private static final Document KEY = new Document("k", 1);
  private static final WriteConcern BOTH = new WriteConcern(2);

  private static final List<String> COMMANDS =
      List.of(
          "{find: C}",
          "{find: C, filter: {n: 0}}",
          "{find: C, sort: {$natural: -1}}",
          "{find: C, sort: {k: 1}}",
          "{find: C, sort: {n: 1, _id: -1}}",
          "{find: C, filter: {k: {$gte: 5}}, projection: {_id: 0, k: 1}}",
          "{find: C, filter: {a: {$gte: 2}}, hint: {a: 1, k: 1}}",
          "{find: C, filter: {a: {$gte: 2}}, hint: {a: 1, k: 1}, projection: {_id: 0, k: 1, a: 1}}",
          "{find: C, filter: {$or: [{k: {$lt: 30}}, {a: 3}]}}",
          "{find: C, filter: {_id: 30}}",
          "{aggregate: C, pipeline: []}",
          "{aggregate: C, pipeline: [{$match: {n: 0}}, {$addFields: {x: '$k'}}]}",
          "{aggregate: C, pipeline: [{$group: {_id: '$k', n: {$sum: 1}}}]}",
          "{aggregate: C, pipeline: [{$sort: {a: 1, k: 1}}, {$project: {k: 1}}]}");

  private TestShard shard;
  private int major;
  private int collections;

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

  private static Document bound(Object value) {
    return new Document("k", value);
  }

  /** A collection of which the shard owns the keys from one on. */
  private String collection(Object from, Object to) {
    String name = "c" + ++collections;
    own(name, from, to);
    for (String index : List.of("{k: 1}", "{a: 1}", "{a: 1, k: 1}")) {
      direct(name).createIndex(Document.parse(index));
    }
    direct(name)
        .insertMany(
            IntStream.range(0, DOCUMENTS)
                .mapToObj(
                    i -> new Document("_id", i).append("k", i).append("a", i % 10).append("n", 0))
                .toList());
    return name;
  }

  private void own(String name, Object from, Object to) {
    shard.own("test." + name, KEY, ++major, range(bound(from), bound(to)));
    fence();
  }

  /** What a majority has in the log the secondary has applied after this. */
  private void fence() {
    direct("fence").insertOne(new Document());
  }

  private Document run(int member, Document command) {
    return database(member).runCommand(command, ReadPreference.primaryPreferred());
  }

  private Document open(int member, Document command) {
    return run(member, new Document(command).append("shardVersion", version(major, 0)))
        .get("cursor", Document.class);
  }

  private List<Document> rest(int member, Document opened, int batchSize) {
    var all = new ArrayList<>(opened.getList("firstBatch", Document.class));
    long id = opened.getLong("id");
    String name = opened.getString("ns").substring("test.".length());
    while (id != 0) {
      Document next =
          run(
                  member,
                  new Document("getMore", id)
                      .append("collection", name)
                      .append("batchSize", batchSize))
              .get("cursor", Document.class);
      all.addAll(next.getList("nextBatch", Document.class));
      id = next.getLong("id");
    }
    return all;
  }

  private Document pinned(int member) {
    return run(member, new Document("serverStatus", 1))
        .get("shardingStatistics", Document.class)
        .get("pinnedSnapshots", Document.class);
  }

  private static Document withBatches(Document command, int batchSize) {
    return command.containsKey("aggregate")
        ? command.append("cursor", new Document("batchSize", batchSize))
        : command.append("batchSize", batchSize);
  }

  private static List<Document> sorted(List<Document> documents) {
    return documents.stream().sorted((a, b) -> a.toJson().compareTo(b.toJson())).toList();
  }

  /** A cursor of a command on a member. */
  private record Opened(int member, String json, int batchSize, Document cursor) {}

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cursorsGiveARangeAsItWas(boolean wholeCollection) {
    Object least = wholeCollection ? new MinKey() : 10;
    String name = collection(least, new MaxKey());
    var cursors = new ArrayList<Opened>();
    Map<String, List<Document>> expected = new HashMap<>();
    for (String json : COMMANDS) {
      Document all = open(0, withBatches(command(json, name), 1000));
      expected.put(json, sorted(all.getList("firstBatch", Document.class)));
      for (int member = 0; member < 2; member++) {
        for (int batchSize : List.of(0, 7)) {
          Document cursor = open(member, withBatches(command(json, name), batchSize));
          cursors.add(new Opened(member, json, batchSize, cursor));
        }
      }
    }
    own(name, least, 20);
    direct(name).deleteMany(Filters.gte("k", 20));
    direct(name).updateMany(Filters.lt("k", 20), Updates.set("n", 1));
    direct(name).insertOne(new Document("_id", 1000).append("k", 15).append("a", 5));
    for (Opened each : cursors) {
      assertThat(sorted(rest(each.member, each.cursor, 30)))
          .as("%s", each)
          .isEqualTo(expected.get(each.json));
    }
    assertThat(pinned(0)).isEqualTo(new Document("snapshots", 0).append("cursors", 0));
  }

  private static Document command(String json, String name) {
    return Document.parse(json.replace("C", "'" + name + "'"));
  }

  /** The documents are no orphans by then, so that their number tells nothing. */
  @Test
  void aCursorGivesNothingOfARangeThatHasComeSince() {
    String name = collection(0, 20);
    direct(name).deleteMany(Filters.gte("k", 20));
    var cursors = new ArrayList<Document>();
    for (int member = 0; member < 2; member++) {
      cursors.add(open(member, new Document("find", name).append("batchSize", 5)));
    }
    own(name, 0, new MaxKey());
    direct(name)
        .insertMany(
            IntStream.range(20, 40)
                .mapToObj(i -> new Document("_id", i).append("k", i).append("a", 0))
                .toList());
    fence();
    for (int member = 0; member < 2; member++) {
      assertThat(rest(member, cursors.get(member), 100))
          .as("member %d", member)
          .hasSize(20)
          .allMatch(each -> each.getInteger("k") < 20);
    }
  }

  @Test
  void aCursorSeesNewDocumentsWhileNothingIsGivenAway() {
    String name = collection(0, 100);
    Document cursor = open(0, new Document("find", name).append("batchSize", 5));
    String other = collection(0, 100);
    own(other, 0, 20);
    own(name, 0, 200);
    direct(name).insertOne(new Document("_id", 1000).append("k", 15).append("a", 5));
    assertThat(pinned(0).getInteger("cursors")).isZero();
    assertThat(rest(0, cursor, 100)).hasSize(DOCUMENTS + 1);
  }

  @Test
  void pinnedSnapshotsAreSharedAndEndWithTheirCursors() {
    String name = collection(0, 100);
    Document first = open(0, new Document("find", name).append("batchSize", 5));
    Document second = open(0, new Document("find", name).append("batchSize", 5));
    own(name, 0, 20);
    Document third = open(0, new Document("find", name).append("batchSize", 5));
    assertThat(pinned(0)).isEqualTo(new Document("snapshots", 1).append("cursors", 2));
    assertThat(rest(0, first, 100)).hasSize(DOCUMENTS);
    assertThat(pinned(0)).isEqualTo(new Document("snapshots", 1).append("cursors", 1));
    own(name, 0, 10);
    assertThat(pinned(0)).isEqualTo(new Document("snapshots", 2).append("cursors", 2));
    assertThat(rest(0, third, 100)).hasSize(20);
    run(0, new Document("killCursors", name).append("cursors", List.of(second.getLong("id"))));
    assertThat(pinned(0)).isEqualTo(new Document("snapshots", 0).append("cursors", 0));
  }

  /** The documents are others after that, also if they are equal. */
  @Test
  void aRangeThatHasGoneAndComeBackIsGivenOnce() {
    String name = collection(0, 100);
    var cursors = new ArrayList<Document>();
    for (int member = 0; member < 2; member++) {
      cursors.add(open(member, new Document("find", name).append("batchSize", 40)));
    }
    own(name, 0, 20);
    List<Document> gone = direct(name).find(Filters.gte("k", 20)).into(new ArrayList<>());
    direct(name).deleteMany(Filters.gte("k", 20));
    direct(name).insertMany(gone);
    own(name, 0, 100);
    for (int member = 0; member < 2; member++) {
      assertThat(rest(member, cursors.get(member), 100))
          .extracting(each -> each.getInteger("_id"))
          .as("member %d", member)
          .doesNotHaveDuplicates()
          .hasSize(DOCUMENTS);
    }
  }

  @Test
  void everyCursorGivesWhatWasOwnedWhenItWasOpened() {
    new RandomCursors(shard, 2, 0).run(100);
  }

  @Test
  void cursorsAreReadWhileRangesGo() throws Exception {
    new ConcurrentCursors(shard, 2).run(60, 1);
  }
}
