package dev.wisent.conformance.sharding;

import static dev.wisent.conformance.sharding.StreamCommands.types;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Change streams of several shards through a router. */
@ExtendWith(SharedCluster.class)
class ShardedStreamsTest {
  private static final String NAME = "streamed";

  private TestCluster cluster;
  private MongoDatabase database;
  private MongoCollection<Document> collection;

  @BeforeEach
  void shard(TestCluster shared) {
    cluster = shared;
    database = cluster.client().getDatabase(NAME);
    database.drop();
    cluster.shardAt(NAME + ".c", "k", 10, 20);
    collection = database.getCollection("c");
  }

  private StreamCommands watch(String options, String rest) {
    return new StreamCommands(database, "c", Document.parse(options), rest);
  }

  private static Document doc(int id, int k) {
    return new Document("_id", id).append("k", k);
  }

  @Test
  void writesOfAllShardsComeInTheirOrder() {
    StreamCommands stream = watch("{}", "");
    for (int i = 0; i < 30; i++) {
      collection.insertOne(doc(i, i));
    }
    List<Document> events = stream.next(30);
    for (int i = 0; i < 30; i++) {
      assertThat(events.get(i).get("documentKey"))
          .isEqualTo(Document.parse("{k: " + i + ", _id: " + i + "}"));
    }
    assertThat(events.stream().map(StreamCommands::data)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void everyKindOfWriteIsAnEvent() {
    StreamCommands stream = watch("{}", "");
    collection.insertOne(doc(1, 15));
    collection.updateOne(Filters.eq("k", 15), Updates.set("a", 1));
    collection.replaceOne(Filters.eq("k", 15), new Document("k", 15).append("z", 1));
    collection.deleteOne(Filters.eq("k", 15));
    List<Document> events = stream.next(4);
    assertThat(types(events)).containsExactly("insert", "update", "replace", "delete");
    assertThat(events)
        .allSatisfy(
            event ->
                assertThat(event.get("documentKey")).isEqualTo(Document.parse("{k: 15, _id: 1}")));
  }

  @Test
  void aStreamGoesOnAfterEachOfItsEvents() {
    StreamCommands stream = watch("{}", "");
    for (int i = 0; i < 9; i++) {
      collection.insertOne(doc(i, 3 * i));
    }
    List<Document> events = stream.next(9);
    for (int i = 0; i < 8; i++) {
      Document after = new Document("resumeAfter", events.get(i).get("_id"));
      var resumed = new StreamCommands(database, "c", after, "");
      assertThat(resumed.next(8 - i)).isEqualTo(events.subList(i + 1, 9));
    }
    Document time = new Document("startAtOperationTime", events.get(4).get("clusterTime"));
    assertThat(new StreamCommands(database, "c", time, "").next(5)).isEqualTo(events.subList(4, 9));
  }

  @Test
  void aStreamGoesOnAfterAnEventThatItsFilterExcludes() {
    StreamCommands stream = watch("{}", "");
    for (int i = 0; i < 6; i++) {
      collection.insertOne(doc(i, 5 * i));
    }
    List<Document> events = stream.next(6);
    Document after = new Document("resumeAfter", events.get(1).get("_id"));
    var resumed =
        new StreamCommands(
            database,
            "c",
            after,
            "{$match: {'fullDocument.k': {$gte: 20}}}, {$project: {documentKey: 1}}");
    List<Document> seen = resumed.next(2);
    assertThat(seen.get(0).keySet()).containsExactly("_id", "documentKey");
    assertThat(seen)
        .extracting(event -> event.get("_id"))
        .containsExactly(events.get(4).get("_id"), events.get(5).get("_id"));
  }

  @Test
  void aPlaceThatNoShardHasIsRefused() {
    StreamCommands stream = watch("{}", "");
    collection.insertOne(doc(1, 1));
    collection.insertOne(doc(2, 11));
    List<Document> events = stream.next(2);
    collection.drop();
    cluster.shardAt(NAME + ".other", "k", 10, 20);
    MongoCollection<Document> other = database.getCollection("other");
    other.insertOne(doc(1, 1));
    Document after = new Document("resumeAfter", events.get(0).get("_id"));
    assertThatThrownBy(() -> new StreamCommands(database, "other", after, "").next(1))
        .isInstanceOfSatisfying(
            MongoCommandException.class,
            e -> {
              assertThat(e.getErrorCode()).isEqualTo(280);
              assertThat(e.getErrorLabels()).contains("NonResumableChangeStreamError");
            });
  }

  @Test
  void aTokenOfABatchWithoutEventsIsAPlaceToGoOnFrom() {
    StreamCommands stream = watch("{}", "");
    assertThat(stream.more(1)).isEmpty();
    Document place = stream.token();
    collection.insertOne(doc(1, 25));
    var resumed = new StreamCommands(database, "c", new Document("resumeAfter", place), "");
    assertThat(resumed.next(1)).isEqualTo(stream.next(1));
  }

  @Test
  void theNewestVersionIsFoundOnTheShardOfTheDocument() {
    StreamCommands stream =
        watch(
            "{fullDocument: 'updateLookup'}",
            "{$match: {operationType: 'update', 'fullDocument.a': 2}}");
    collection.insertOne(doc(1, 5));
    collection.insertOne(doc(2, 15));
    collection.updateOne(Filters.eq("k", 5), Updates.set("a", 1));
    collection.updateOne(Filters.eq("k", 15), Updates.set("a", 2));
    Document event = stream.next(1).getFirst();
    assertThat(event.get("fullDocument")).isEqualTo(Document.parse("{_id: 2, k: 15, a: 2}"));
    assertThat(new ArrayList<>(event.keySet()))
        .containsExactly(
            "_id",
            "operationType",
            "clusterTime",
            "wallTime",
            "fullDocument",
            "ns",
            "documentKey",
            "updateDescription");
    Document after =
        new Document("resumeAfter", event.get("_id")).append("fullDocument", "updateLookup");
    var resumed = new StreamCommands(database, "c", after, "");
    collection.updateOne(Filters.eq("k", 15), Updates.set("a", 3));
    collection.deleteOne(Filters.eq("k", 15));
    List<Document> rest = resumed.next(2);
    assertThat(rest.get(0)).containsEntry("fullDocument", null);
    assertThat(types(rest)).containsExactly("update", "delete");
  }

  @Test
  void imagesOfChangesAreThoseOfTheShard() {
    database.runCommand(
        Document.parse("{collMod: 'c', changeStreamPreAndPostImages: {enabled: true}}"));
    StreamCommands stream =
        watch("{fullDocument: 'required', fullDocumentBeforeChange: 'required'}", "");
    collection.insertOne(doc(1, 15));
    collection.updateOne(Filters.eq("k", 15), Updates.set("a", 1));
    Document update = stream.next(2).get(1);
    assertThat(update.get("fullDocumentBeforeChange")).isEqualTo(doc(1, 15));
    assertThat(update.get("fullDocument")).isEqualTo(doc(1, 15).append("a", 1));
  }

  @Test
  void theEventsOfATransactionHaveOneTime() {
    StreamCommands stream = watch("{}", "");
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction();
      for (int i = 0; i < 9; i++) {
        collection.insertOne(session, doc(i, 3 * i));
      }
      session.commitTransaction();
    }
    List<Document> events = stream.next(9);
    assertThat(events)
        .extracting(event -> event.get("clusterTime"))
        .containsOnly(events.get(0).get("clusterTime"));
    assertThat(events)
        .extracting(event -> event.get("txnNumber"))
        .containsOnly(events.get(0).get("txnNumber"));
    assertThat(events)
        .extracting(event -> event.get("lsid"))
        .containsOnly(events.get(0).get("lsid"));
    assertThat(events)
        .extracting(event -> event.get("documentKey", Document.class).get("_id"))
        .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8);
    for (int i = 0; i < 8; i++) {
      Document after = new Document("resumeAfter", events.get(i).get("_id"));
      assertThat(new StreamCommands(database, "c", after, "").next(8 - i))
          .isEqualTo(events.subList(i + 1, 9));
    }
  }

  @Test
  void aDropEndsTheStreamOfACollectionWithOneEvent() {
    StreamCommands stream = watch("{}", "");
    StreamCommands ofDatabase = new StreamCommands(database, 1, new Document(), "");
    collection.insertOne(doc(1, 1));
    collection.insertOne(doc(2, 11));
    collection.drop();
    List<Document> events = stream.next(4);
    assertThat(types(events)).containsExactly("insert", "insert", "drop", "invalidate");
    assertThat(stream.id()).isZero();
    cluster.shardAt(NAME + ".c", "k", 10, 20);
    collection.insertOne(doc(3, 21));
    assertThat(types(ofDatabase.next(4))).containsExactly("insert", "insert", "drop", "insert");
    var again =
        new StreamCommands(database, "c", new Document("startAfter", events.get(3).get("_id")), "");
    assertThat(types(again.next(1))).containsExactly("insert");
  }

  @Test
  void definitionsAreToldOnce() {
    StreamCommands stream =
        new StreamCommands(database, 1, Document.parse("{showExpandedEvents: true}"), "");
    collection.createIndex(Document.parse("{a: 1}"));
    database.runCommand(Document.parse("{collMod: 'c', index: {name: 'a_1', hidden: true}}"));
    collection.dropIndex("a_1");
    collection.renameCollection(new MongoNamespace(NAME, "d"));
    cluster.shardAt(NAME + ".e", "k", 10, 20);
    database.getCollection("e").insertOne(doc(1, 1));
    database.drop();
    List<Document> events = new ArrayList<>();
    while (events.isEmpty() || !events.getLast().getString("operationType").equals("invalidate")) {
      events.addAll(stream.more(10_000));
    }
    assertThat(types(events))
        .startsWith("createIndexes", "modify", "dropIndexes", "rename", "create", "createIndexes")
        .endsWith("insert", "drop", "drop", "dropDatabase", "invalidate");
  }

  @Test
  void shardKeysAreToldOnceToThoseThatAskForMore() {
    StreamCommands stream =
        new StreamCommands(database, 1, Document.parse("{showExpandedEvents: true}"), "");
    StreamCommands plain = new StreamCommands(database, 1, new Document(), "");
    cluster.admin(Document.parse("{shardCollection: '" + NAME + ".keyed', key: {k: 1}}"));
    MongoCollection<Document> keyed = database.getCollection("keyed");
    keyed.createIndex(Document.parse("{k: 1, l: 1}"));
    cluster.admin(
        Document.parse("{refineCollectionShardKey: '" + NAME + ".keyed', key: {k: 1, l: 1}}"));
    keyed.insertOne(doc(1, 1).append("l", 2));
    List<Document> events = new ArrayList<>();
    while (!types(events).contains("insert")) {
      events.addAll(stream.more(10_000));
    }
    assertThat(types(events))
        .containsExactly(
            "create",
            "createIndexes",
            "shardCollection",
            "createIndexes",
            "refineCollectionShardKey",
            "insert");
    Document sharded = events.get(2);
    assertThat(sharded.keySet())
        .containsExactly(
            "_id",
            "operationType",
            "clusterTime",
            "collectionUUID",
            "wallTime",
            "ns",
            "operationDescription");
    assertThat(sharded.get("ns")).isEqualTo(new Document("db", NAME).append("coll", "keyed"));
    assertThat(sharded.get("operationDescription", Document.class).toJson())
        .isEqualTo(
            Document.parse(
                    "{shardKey: {k: 1}, unique: false, numInitialChunks: {$numberLong: '0'},"
                        + " presplitHashedZones: false}")
                .toJson());
    assertThat(events.get(4).get("operationDescription"))
        .isEqualTo(Document.parse("{shardKey: {k: 1, l: 1}, oldShardKey: {k: 1}}"));
    assertThat(events.get(4).get("collectionUUID"))
        .isEqualTo(sharded.get("collectionUUID"))
        .isNotNull();
    assertThat(types(plain.next(1))).containsExactly("insert");
    Document after =
        new Document("resumeAfter", sharded.get("_id")).append("showExpandedEvents", true);
    assertThat(new StreamCommands(database, 1, after, "").next(3)).isEqualTo(events.subList(3, 6));
  }

  @Test
  void aStreamIsExplainedByEachShard() {
    Document plan =
        database.runCommand(
            Document.parse(
                "{explain: {aggregate: 'c', pipeline: [{$changeStream: {}},"
                    + " {$match: {operationType: 'insert'}}], cursor: {}}}"));
    assertThat(plan.get("shards", Document.class).keySet())
        .containsExactlyInAnyOrder("shard0", "shard1", "shard2");
    for (Object each : plan.get("shards", Document.class).values()) {
      List<Document> stages = ((Document) each).getList("stages", Document.class);
      assertThat(stages.getFirst().keySet()).containsExactly("$changeStream");
      assertThat(stages.get(1)).containsKey("$match");
    }
    assertThat(plan.getString("mergeType")).isEqualTo("mongos");
    Document looked =
        database.runCommand(
            Document.parse(
                "{explain: {aggregate: 1, pipeline: [{$changeStream: {fullDocument:"
                    + " 'updateLookup'}}, {$match: {operationType: 'update', 'fullDocument.a':"
                    + " 1}}], cursor: {}}}"));
    Document split = looked.get("splitPipeline", Document.class);
    assertThat(split.getList("mergerPart", Document.class)).isNotEmpty();
    assertThat(split.getList("shardsPart", Document.class)).hasSize(2);
  }

  @Test
  void theStreamOfTheClusterHasTheChangesOfAllDatabases() {
    BsonTimestamp start =
        cluster.admin(new Document("ping", 1)).get("operationTime", BsonTimestamp.class);
    MongoDatabase other = cluster.client().getDatabase(NAME + "2");
    other.drop();
    var stream =
        new StreamCommands(
            cluster.client().getDatabase("admin"),
            1,
            Document.parse("{allChangesForCluster: true}"),
            "{$match: {'ns.db': {$in: ['" + NAME + "', '" + NAME + "2']}}}");
    assertThat(start).isNotNull();
    collection.insertOne(doc(1, 1));
    other.getCollection("x").insertOne(doc(2, 2));
    collection.insertOne(doc(3, 21));
    assertThat(stream.next(3))
        .extracting(event -> event.get("documentKey", Document.class).get("_id"))
        .containsExactly(1, 2, 3);
    other.drop();
  }

  @Test
  void aCollectionIsWatchedBeforeAndAfterItIsSharded() {
    MongoCollection<Document> later = database.getCollection("later");
    StreamCommands stream = new StreamCommands(database, "later", new Document(), "");
    later.insertOne(doc(1, 1));
    later.createIndex(Document.parse("{k: 'hashed'}"));
    later.deleteMany(new Document());
    cluster.admin(Document.parse("{shardCollection: '" + NAME + ".later', key: {k: 'hashed'}}"));
    for (int i = 2; i < 20; i++) {
      later.insertOne(doc(i, i));
    }
    List<Document> events = stream.next(20);
    assertThat(events.get(0).get("documentKey")).isEqualTo(Document.parse("{_id: 1}"));
    assertThat(events.get(19).get("documentKey")).isEqualTo(Document.parse("{k: 19, _id: 19}"));
  }

  @Test
  void largeEventsAreSplitAndGoneOnAfter() {
    StreamCommands stream =
        watch("{fullDocument: 'updateLookup'}", "{$changeStreamSplitLargeEvent: {}}");
    String large = "x".repeat(9 << 20);
    collection.insertOne(doc(1, 5));
    collection.updateOne(Filters.eq("k", 5), Updates.set("a", large));
    List<Document> events = stream.next(3);
    assertThat(events.get(1).get("splitEvent")).isEqualTo(Document.parse("{fragment: 1, of: 2}"));
    Document after =
        new Document("resumeAfter", events.get(1).get("_id"))
            .append("fullDocument", "updateLookup");
    var resumed = new StreamCommands(database, "c", after, "{$changeStreamSplitLargeEvent: {}}");
    assertThat(resumed.next(1)).isEqualTo(events.subList(2, 3));
  }

  @Test
  void aMoveOfThePrimaryShardIsNoEvent() {
    MongoCollection<Document> plain = database.getCollection("plain");
    plain.insertOne(doc(1, 1));
    StreamCommands stream = new StreamCommands(database, 1, new Document(), "");
    String primary =
        cluster
            .client()
            .getDatabase("config")
            .getCollection("databases")
            .find(Filters.eq(NAME))
            .first()
            .getString("primary");
    String to = primary.equals("shard0") ? "shard1" : "shard0";
    cluster.admin(new Document("movePrimary", NAME).append("to", to));
    plain.insertOne(doc(2, 2));
    collection.insertOne(doc(3, 25));
    assertThat(stream.next(2))
        .extracting(event -> event.get("documentKey", Document.class).get("_id"))
        .containsExactly(2, 3);
  }

  @Test
  void theCursorsOfShardsEndWithTheStream() {
    StreamCommands stream = new StreamCommands(database, "killed", new Document(), "");
    assertThat(stream.more(1)).isEmpty();
    assertThat(openStreams()).isPositive();
    database.runCommand(
        new Document("killCursors", "killed").append("cursors", List.of(stream.id())));
    Eventually.holds("no cursors on shards", Duration.ofSeconds(30), () -> openStreams() == 0);
  }

  /** How many cursors shards have open for streams of the collection. */
  private long openStreams() {
    long open = 0;
    for (int i = 0; i < 3; i++) {
      List<Document> operations =
          cluster
              .shard(i)
              .getDatabase("admin")
              .aggregate(
                  List.of(
                      Document.parse("{$currentOp: {idleCursors: true, allUsers: true}}"),
                      Document.parse(
                          "{$match: {ns: '" + NAME + ".killed', cursor: {$exists: true}}}")))
              .into(new ArrayList<>());
      open += operations.size();
    }
    return open;
  }

  @Test
  void namespacesThatHaveNoStreamsAreRefused() {
    assertThatThrownBy(
            () -> new StreamCommands(cluster.client().getDatabase("admin"), 1, new Document(), ""))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(73));
    database.createView("view", "c", List.of());
    assertThatThrownBy(() -> new StreamCommands(database, "view", new Document(), ""))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(166));
    assertThatThrownBy(() -> watch("{merged: true}", ""))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(40415));
  }
}
