package dev.wisent.cluster.shard;

import static dev.wisent.cluster.shard.TestShard.failure;
import static dev.wisent.cluster.shard.TestShard.range;
import static dev.wisent.cluster.shard.TestShard.version;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
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
 * Reads of routers from a shard that has documents with the keys 0 to 299 and owns those from 0 to
 * 9 and from 200 on. Each read gives what it gives of a collection with the owned documents alone,
 * on the primary and on a secondary.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OwnedReadsTest {
  private static final int DOCUMENTS = 300;
  private static final int OWNED = 110;

  private TestShard shard;

  @BeforeAll
  void start(@TempDir Path directory) {
    shard = new TestShard(directory, 2);
    shard.identify();
    shard.ownDatabase(1);
    shard.own(
        "test.c",
        new Document("k", 1),
        1,
        range(new Document("k", 0), new Document("k", 10)),
        range(new Document("k", 200), new Document("k", new MaxKey())));
    fill("c", IntStream.range(0, DOCUMENTS));
    fill("plain", IntStream.range(0, DOCUMENTS).filter(OwnedReadsTest::isOwned));
    database(0).getCollection("one").insertOne(new Document("_id", 5));
  }

  private static boolean isOwned(int key) {
    return key < 10 || key >= 200;
  }

  private void fill(String name, IntStream keys) {
    var collection = database(0).getCollection(name).withWriteConcern(new WriteConcern(2));
    for (String index :
        List.of(
            "{k: 1}", "{a: 1}", "{a: 1, k: 1}", "{m: 1, k: 1}", "{t: 'text'}", "{p: '2dsphere'}")) {
      collection.createIndex(Document.parse(index));
    }
    collection.insertMany(
        keys.mapToObj(
                key ->
                    new Document("_id", key)
                        .append("k", key)
                        .append("a", key % 100)
                        .append("m", List.of(key, key + 1))
                        .append("t", key % 2 == 0 ? "even number" : "odd number")
                        .append("p", List.of(key / 10.0, 0)))
            .toList());
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

  private Document routed(int member, Document command) {
    return database(member)
        .runCommand(
            new Document(command).append("shardVersion", version(1, 0)),
            ReadPreference.primaryPreferred());
  }

  /** The documents of all batches. */
  private List<Document> all(int member, Document reply) {
    Document cursor = reply.get("cursor", Document.class);
    var all = new ArrayList<>(cursor.getList("firstBatch", Document.class));
    while (cursor.getLong("id") != 0) {
      Document more =
          new Document("getMore", cursor.getLong("id"))
              .append("collection", cursor.getString("ns").substring("test.".length()));
      cursor =
          database(member)
              .runCommand(more, ReadPreference.primaryPreferred())
              .get("cursor", Document.class);
      all.addAll(cursor.getList("nextBatch", Document.class));
    }
    return all;
  }

  private static Document parse(String json, String collection) {
    return Document.parse(json.replace("C", "'" + collection + "'"));
  }

  private static List<Document> inOrder(List<Document> documents, Document command) {
    boolean sorted = command.containsKey("sort") || command.toJson().contains("$sort");
    return sorted
        ? documents
        : documents.stream().sorted(Comparator.comparing(Document::toJson)).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{find: C}",
        "{find: C, sort: {$natural: -1}}",
        "{find: C, filter: {x: null}, skip: 90}",
        "{find: C, sort: {_id: -1}}",
        "{find: C, sort: {t: 1, _id: 1}}",
        "{find: C, sort: {a: -1, t: 1}, skip: 2, limit: 20}",
        "{find: C, filter: {k: {$gte: 0}}}",
        "{find: C, filter: {k: {$gte: 0}}, projection: {_id: 0, k: 1}}",
        "{find: C, filter: {a: {$gte: 0}}, hint: {a: 1}}",
        "{find: C, filter: {a: {$gte: 0}}, hint: {a: 1}, projection: {_id: 0, a: 1}}",
        "{find: C, filter: {a: {$gte: 0}}, hint: {a: 1}, returnKey: true}",
        "{find: C, filter: {a: {$gte: 0}}, hint: {a: 1, k: 1}}",
        "{find: C, filter: {a: {$gte: 0}}, hint: {a: 1, k: 1}, returnKey: true}",
        "{find: C, filter: {a: {$gte: 0}}, projection: {_id: 0, k: 1}, hint: {a: 1, k: 1}}",
        "{find: C, filter: {a: {$gte: 0}, t: /number/}, hint: {a: 1, k: 1}}",
        "{find: C, filter: {a: {$gte: 0}}, sort: {k: 1}, hint: {a: 1, k: 1}}",
        "{find: C, filter: {a: {$in: [5, 7, 50]}}, sort: {k: -1}}",
        "{find: C, filter: {m: {$gte: 0}}, hint: {m: 1, k: 1}}",
        "{find: C, filter: {$or: [{k: {$lt: 50}}, {a: {$gt: 50}}]}}",
        "{find: C, filter: {$or: [{k: {$lt: 50}}, {a: 55}]}, sort: {k: 1}}",
        "{find: C, filter: {k: {$gte: 5}}, sort: {k: 1}, skip: 2, limit: 20}",
        "{find: C, min: {a: 0}, max: {a: 60}, hint: {a: 1}}",
        "{find: C, filter: {a: 55}, limit: 1}",
        "{find: C, filter: {a: 155}, limit: 1}",
        "{find: C, filter: {k: 15}, limit: 1}",
        "{find: C, filter: {_id: 15}}",
        "{find: C, filter: {_id: 5}}",
        "{find: C, filter: {_id: 15}, projection: {k: 1}}",
        "{find: C, filter: {_id: {$in: [5, 15, 215]}}}",
        "{find: C, filter: {$text: {$search: 'even'}}}",
        "{find: C, filter: {$text: {$search: 'even number'}, k: {$gt: 3}}}",
        "{find: C, filter: {p: {$geoWithin: {$box: [[-1, -1], [20.05, 1]]}}}}",
        "{find: C, filter: {p: {$nearSphere: [0, 0]}}, limit: 60}",
        "{aggregate: C, pipeline: [], cursor: {}}",
        "{aggregate: C, pipeline: [{$match: {a: {$gte: 50}}}], cursor: {batchSize: 5}}",
        "{aggregate: C, pipeline: [{$sort: {k: 1}}, {$skip: 3}], cursor: {}}",
        "{aggregate: C, pipeline: [{$count: 'n'}], cursor: {}}",
        "{aggregate: C, pipeline: [{$match: {a: {$lt: 50}}}, {$count: 'n'}], cursor: {}}",
        "{aggregate: C, pipeline: [{$group: {_id: null, n: {$sum: 1}}}], cursor: {}}",
        "{aggregate: C, pipeline: [{$sort: {a: 1, k: 1}}, {$group: {_id: '$a', k: {$first: '$k'}}},"
            + " {$sort: {_id: 1}}], cursor: {}}",
        "{aggregate: C, pipeline: [{$facet: {n: [{$count: 'n'}]}}], cursor: {}}",
        "{aggregate: C, pipeline: [{$geoNear: {near: {type: 'Point',"
            + " coordinates: [0, 0]}, distanceField: 'd', key: 'p'}},"
            + " {$limit: 30}], cursor: {}}",
        "{aggregate: C, pipeline: [{$lookup: {from: 'one', localField: '_id', foreignField: '_id',"
            + " as: 'o'}}], cursor: {batchSize: 5}}"
      })
  void readsGiveOwnedDocuments(String json) {
    Document command = parse(json, "c");
    List<Document> expected = all(0, database(0).runCommand(parse(json, "plain")));
    for (int member = 0; member < 2; member++) {
      assertThat(inOrder(all(member, routed(member, command)), command))
          .isEqualTo(inOrder(expected, command));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 10, 120, 1000})
  void samplesAreOfOwnedDocuments(int size) {
    Document command =
        parse("{aggregate: C, pipeline: [{$sample: {size: " + size + "}}], cursor: {}}", "c");
    for (int member = 0; member < 2; member++) {
      List<Document> sample = all(member, routed(member, command));
      assertThat(sample).hasSize(Math.min(size, OWNED)).doesNotHaveDuplicates();
      assertThat(sample).allMatch(document -> isOwned(document.getInteger("k")));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{count: C}",
        "{count: C, skip: 100}",
        "{count: C, limit: 105}",
        "{count: C, query: {a: {$gt: 20}}}",
        "{count: C, query: {k: {$gt: 5}}}",
        "{count: C, query: {a: {$gt: 20}, k: {$lt: 250}}}",
        "{count: C, query: {_id: 15}}",
        "{count: C, hint: {k: 1}}",
        "{count: C, hint: {a: 1}}"
      })
  void countsAreExact(String json) {
    Object expected = database(0).runCommand(parse(json, "plain")).get("n");
    for (int member = 0; member < 2; member++) {
      assertThat(routed(member, parse(json, "c"))).containsEntry("n", expected);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{distinct: C, key: 'k'}",
        "{distinct: C, key: 'a'}",
        "{distinct: C, key: 'm'}",
        "{distinct: C, key: 't'}",
        "{distinct: C, key: 'k', query: {a: 5}}",
        "{distinct: C, key: 'a', query: {k: {$lt: 250}}}"
      })
  void distinctValuesAreOfOwnedDocuments(String json) {
    Document wanted = database(0).runCommand(parse(json, "plain"));
    for (int member = 0; member < 2; member++) {
      assertThat(routed(member, parse(json, "c")).getList("values", Object.class))
          .containsExactlyInAnyOrderElementsOf(wanted.getList("values", Object.class));
    }
  }

  @Test
  void directConnectionsAndReadsOfWhatIsAvailableSeeEverything() {
    for (int member = 0; member < 2; member++) {
      assertThat(database(member).runCommand(new Document("count", "c"))).containsEntry("n", 300);
      Document available =
          Document.parse("{find: 'c', readConcern: {level: 'available'}, batchSize: 1000}");
      assertThat(all(member, routed(member, available))).hasSize(DOCUMENTS);
      for (String level : List.of("local", "majority")) {
        Document read =
            new Document("find", "c").append("readConcern", new Document("level", level));
        assertThat(all(member, routed(member, read))).hasSize(OWNED);
      }
    }
  }

  private Document plan(String json) {
    return routed(0, new Document("explain", parse(json, "c")))
        .get("queryPlanner", Document.class)
        .get("winningPlan", Document.class);
  }

  private static List<String> stages(Document plan) {
    var stages = new ArrayList<String>();
    for (Document at = plan; at != null; at = at.get("inputStage", Document.class)) {
      stages.add(at.getString("stage"));
    }
    return stages;
  }

  @Test
  void explainShowsTheFilterWhereMongoDbHasIt() {
    assertThat(stages(plan("{find: C}"))).containsExactly("SHARDING_FILTER", "COLLSCAN");
    assertThat(stages(plan("{find: C, filter: {k: {$gt: 5}}}")))
        .containsExactly("FETCH", "SHARDING_FILTER", "IXSCAN");
    assertThat(stages(plan("{find: C, filter: {a: 5}, hint: {a: 1}}")))
        .containsExactly("SHARDING_FILTER", "FETCH", "IXSCAN");
    assertThat(stages(plan("{find: C, filter: {k: {$gt: 5}}, projection: {_id: 0, k: 1}}")))
        .containsExactly("PROJECTION_COVERED", "SHARDING_FILTER", "IXSCAN");
    assertThat(stages(plan("{find: C, filter: {a: 5}, hint: {a: 1}, projection: {_id: 0, a: 1}}")))
        .containsExactly("PROJECTION_SIMPLE", "SHARDING_FILTER", "FETCH", "IXSCAN");
    assertThat(stages(plan("{find: C, sort: {t: 1}, limit: 3}")))
        .containsExactly("SORT", "SHARDING_FILTER", "COLLSCAN");
    assertThat(stages(plan("{find: C, filter: {$text: {$search: 'odd'}}}")))
        .startsWith("SHARDING_FILTER", "TEXT_MATCH");
    assertThat(stages(plan("{find: C, filter: {p: {$nearSphere: [0, 0]}}}")))
        .containsExactly("SHARDING_FILTER", "GEO_NEAR_2DSPHERE");
    assertThat(stages(plan("{count: C}"))).containsExactly("COUNT", "SHARDING_FILTER", "COLLSCAN");
    assertThat(stages(plan("{count: C, query: {k: {$gt: 5}}}")))
        .containsExactly("COUNT", "SHARDING_FILTER", "IXSCAN");
    assertThat(stages(plan("{update: C, updates: [{q: {k: 5}, u: {$set: {a: 5}}, multi: true}]}")))
        .containsExactly("UPDATE", "FETCH", "SHARDING_FILTER", "IXSCAN");
    assertThat(stages(plan("{delete: C, deletes: [{q: {k: 5}, limit: 0}]}")))
        .containsExactly("BATCHED_DELETE", "FETCH", "SHARDING_FILTER", "IXSCAN");
  }

  @Test
  void explainCountsWhatIsLeftOut() {
    Document executed =
        routed(
                0,
                new Document("explain", parse("{find: C, filter: {k: {$gte: 5}}}", "c"))
                    .append("verbosity", "executionStats"))
            .get("executionStats", Document.class);
    assertThat(executed).containsEntry("nReturned", 105).containsEntry("totalDocsExamined", 105);
    assertThat(executed.get("executionStages", Document.class).get("inputStage", Document.class))
        .containsEntry("stage", "SHARDING_FILTER")
        .containsEntry("nReturned", 105)
        .containsEntry("chunkSkips", 190);
  }

  /** Rule H15: the table is that of the state which is read, not the newest one. */
  @Test
  void aTransactionReadsByTheTableOfItsState() {
    Document key = new Document("k", 1);
    String collection = "moving";
    shard.own("test.moving", key, 1, range(new Document("k", 0), new Document("k", 10)));
    var moving = database(0).getCollection(collection);
    moving.insertOne(new Document("_id", "own").append("k", 5));
    moving.insertOne(new Document("_id", "orphan").append("k", 15));
    try (var session = shard.client().startSession()) {
      session.startTransaction();
      assertThat(
              database(0)
                  .runCommand(session, read(collection, 1))
                  .get("cursor", Document.class)
                  .getList("firstBatch", Document.class))
          .extracting(found -> found.get("_id"))
          .containsExactly("own");
      shard.own("test.moving", key, 2, range(new Document("k", 10), new Document("k", 20)));
      // The router knows of the change, and the state of the transaction does not.
      BsonDocument error = failure(() -> database(0).runCommand(session, read(collection, 2)));
      assertThat(error.getString("codeName").getValue()).isEqualTo("SnapshotUnavailable");
      assertThat(error.getArray("errorLabels").getFirst().asString().getValue())
          .isEqualTo("TransientTransactionError");
    }
    assertThat(
            database(0)
                .runCommand(read(collection, 2))
                .get("cursor", Document.class)
                .getList("firstBatch", Document.class))
        .extracting(found -> found.get("_id"))
        .containsExactly("orphan");
  }

  private static Document read(String collection, int major) {
    return new Document("find", collection).append("shardVersion", version(major, 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{h: 'hashed'}", "{s: 1, h: 'hashed'}", "{'s.t': 1}"})
  void hashedAndCompoundKeysAreFilteredByIndexesAndDocuments(String pattern) {
    Document key = Document.parse(pattern);
    String name = "k" + key.toJson().length();
    var keys = database(0).getCollection(name);
    keys.createIndex(key);
    for (int i = 0; i < 40; i++) {
      keys.insertOne(new Document("_id", i).append("h", i).append("s", new Document("t", i % 2)));
    }
    keys.insertOne(new Document("_id", "none"));
    Document middle = new Document();
    key.keySet().forEach(field -> middle.append(field, field.equals("h") ? 0L : 1));
    Document low = new Document();
    key.keySet().forEach(field -> low.append(field, new MinKey()));
    Document high = new Document();
    key.keySet().forEach(field -> high.append(field, new MaxKey()));
    shard.own("test." + name, key, 1, range(low, middle));
    List<Object> first = ids(name, 1, new Document());
    assertThat(ids(name, 1, key)).containsExactlyInAnyOrderElementsOf(first);
    shard.own("test." + name, key, 2, range(middle, high));
    List<Object> second = ids(name, 2, new Document());
    assertThat(ids(name, 2, key)).containsExactlyInAnyOrderElementsOf(second);
    assertThat(first).isNotEmpty().doesNotContainAnyElementsOf(second);
    assertThat(first.size() + second.size()).isEqualTo(41);
  }

  private List<Object> ids(String collection, int major, Document hint) {
    Document read = read(collection, major).append("batchSize", 100).append("hint", hint);
    return database(0)
        .runCommand(read)
        .get("cursor", Document.class)
        .getList("firstBatch", Document.class)
        .stream()
        .map(found -> found.get("_id"))
        .toList();
  }
}
