package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Change streams by the commands that they are made of. */
@ExtendWith(SharedReplicaSet.Extension.class)
class ChangeStreamTest {
  private MongoClient client;
  private MongoDatabase database;
  private MongoDatabase onSecondary;
  private MongoCollection<Document> collection;

  @BeforeEach
  void connect(ReplicaSetProcesses shared) {
    client = MongoClients.create(shared.uri());
    database = client.getDatabase("streamed").withWriteConcern(new WriteConcern(3));
    database.drop();
    collection = database.getCollection("c");
    database.createCollection("c");
    onSecondary = shared.secondaries().getFirst().direct().getDatabase("streamed");
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  /** A stream, read one batch at a time. */
  private final class Stream {
    private final MongoDatabase in;
    private final Object target;
    private final ReadPreference where;
    private long id;
    private Document token;
    private final List<Document> pending;

    Stream(MongoDatabase in, Object target, ReadPreference where, String options, String rest) {
      this.in = in;
      this.target = target;
      this.where = where;
      Document reply =
          in.runCommand(
              Document.parse(
                      "{pipeline: [{$changeStream: " + options + "}" + rest + "], cursor: {}}")
                  .append("aggregate", target)
                  .entrySet()
                  .stream()
                  .sorted((a, b) -> a.getKey().compareTo(b.getKey()))
                  .collect(
                      Document::new,
                      (d, e) -> d.append(e.getKey(), e.getValue()),
                      Document::putAll),
              where);
      Document cursor = reply.get("cursor", Document.class);
      id = cursor.getLong("id");
      token = cursor.get("postBatchResumeToken", Document.class);
      pending = new ArrayList<>(cursor.getList("firstBatch", Document.class));
    }

    /** Reads until there are so many events. */
    List<Document> next(int count) {
      var events = new ArrayList<Document>(pending);
      pending.clear();
      while (events.size() < count) {
        events.addAll(more(10_000));
      }
      assertThat(events).hasSize(count);
      return events;
    }

    private void failing(String command) {
      if (command.equals("getMore")) {
        more(1);
      } else {
        watch("{}", "");
      }
    }

    List<Document> more(long awaitMillis) {
      Document reply =
          in.runCommand(
              new Document("getMore", id)
                  .append("collection", target instanceof String name ? name : "$cmd.aggregate")
                  .append("maxTimeMS", awaitMillis),
              where);
      Document cursor = reply.get("cursor", Document.class);
      id = cursor.getLong("id");
      token = cursor.get("postBatchResumeToken", Document.class);
      return cursor.getList("nextBatch", Document.class);
    }
  }

  private Stream watch(String options, String rest) {
    return new Stream(database, "c", ReadPreference.primary(), options, rest);
  }

  private static List<String> types(List<Document> events) {
    return events.stream().map(event -> event.getString("operationType")).toList();
  }

  private static String data(Document event) {
    return event.get("_id", Document.class).getString("_data");
  }

  @Test
  void everyKindOfWriteIsAnEvent() {
    Stream stream = watch("{}", "");
    collection.insertOne(Document.parse("{_id: 1, a: 1, b: {c: [1, 2, 3]}}"));
    collection.updateOne(Filters.eq(1), Updates.combine(Updates.inc("a", 1), Updates.unset("b")));
    collection.replaceOne(Filters.eq(1), new Document("z", 1));
    collection.deleteOne(Filters.eq(1));
    List<Document> events = stream.next(4);
    assertThat(types(events)).containsExactly("insert", "update", "replace", "delete");
    assertThat(events.get(0).keySet())
        .containsExactly(
            "_id", "operationType", "clusterTime", "wallTime", "fullDocument", "ns", "documentKey");
    assertThat(events.get(0).get("ns")).isEqualTo(Document.parse("{db: 'streamed', coll: 'c'}"));
    assertThat(events.get(0).get("fullDocument"))
        .isEqualTo(Document.parse("{_id: 1, a: 1, b: {c: [1, 2, 3]}}"));
    assertThat(events.get(1).get("updateDescription"))
        .isEqualTo(
            Document.parse("{updatedFields: {a: 2}, removedFields: ['b'], truncatedArrays: []}"));
    assertThat(events.get(1).containsKey("fullDocument")).isFalse();
    assertThat(events.get(2).get("fullDocument")).isEqualTo(Document.parse("{_id: 1, z: 1}"));
    assertThat(events.get(3).get("documentKey")).isEqualTo(Document.parse("{_id: 1}"));
    assertThat(events.stream().map(ChangeStreamTest::data)).isSorted().doesNotHaveDuplicates();
    assertThat(stream.token).isEqualTo(events.get(3).get("_id"));
  }

  @Test
  void aStreamGoesOnAfterAnyEventOnAnyMember() {
    Stream stream = watch("{}", "");
    for (int i = 0; i < 5; i++) {
      collection.insertOne(new Document("_id", i));
    }
    List<Document> events = stream.next(5);
    for (ReadPreference where : List.of(ReadPreference.primary(), ReadPreference.secondary())) {
      for (int i = 0; i < 5; i++) {
        Document token = events.get(i).get("_id", Document.class);
        var rest = new Stream(database, "c", where, "{resumeAfter: " + token.toJson() + "}", "");
        assertThat(rest.next(4 - i)).isEqualTo(events.subList(i + 1, 5));
      }
    }
    BsonTimestamp time = events.get(3).get("clusterTime", BsonTimestamp.class);
    String at =
        "{startAtOperationTime: {$timestamp: {t: %d, i: %d}}}"
            .formatted(time.getTime(), time.getInc());
    assertThat(watch(at, "").next(2)).isEqualTo(events.subList(3, 5));
  }

  @Test
  void highWaterMarksMoveWhileNothingMatches() {
    Stream stream = watch("{}", "");
    Document first = stream.token;
    database.getCollection("other").insertOne(new Document());
    while (stream.token.equals(first)) {
      assertThat(stream.more(100)).isEmpty();
    }
    assertThat(stream.token.getString("_data")).isGreaterThan(first.getString("_data"));
    collection.insertOne(new Document("_id", 1));
    String token = "{startAfter: " + stream.token.toJson() + "}";
    assertThat(types(watch(token, "").next(1))).containsExactly("insert");
  }

  @Test
  void aDropEndsTheStreamOfACollection() {
    Stream stream = watch("{}", "");
    Stream all = new Stream(database, 1, ReadPreference.primary(), "{}", "");
    collection.insertOne(new Document("_id", 1));
    collection.drop();
    collection.insertOne(new Document("_id", 2));
    List<Document> events = stream.next(3);
    assertThat(types(events)).containsExactly("insert", "drop", "invalidate");
    assertThat(stream.id).isZero();
    Document end = events.get(2).get("_id", Document.class);
    assertThatThrownBy(() -> watch("{resumeAfter: " + end.toJson() + "}", ""))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(260));
    List<Document> after = watch("{startAfter: " + end.toJson() + "}", "").next(1);
    assertThat(after.getFirst().get("documentKey")).isEqualTo(new Document("_id", 2));
    assertThat(types(all.next(3))).containsExactly("insert", "drop", "insert");
    database.drop();
    assertThat(types(all.next(3))).containsExactly("drop", "dropDatabase", "invalidate");
    assertThat(all.id).isZero();
  }

  @Test
  void aRenameEndsTheStreamsOfBothNames() {
    database.getCollection("d").insertOne(new Document());
    Stream from = watch("{}", "");
    Stream to = new Stream(database, "d", ReadPreference.primary(), "{}", "");
    client
        .getDatabase("admin")
        .runCommand(
            Document.parse("{renameCollection: 'streamed.c', to: 'streamed.d', dropTarget: true}"));
    for (Stream stream : List.of(from, to)) {
      List<Document> events = stream.next(2);
      assertThat(types(events)).containsExactly("rename", "invalidate");
      assertThat(events.getFirst().get("ns")).isEqualTo(ns("c"));
      assertThat(events.getFirst().get("to")).isEqualTo(ns("d"));
    }
  }

  private static Document ns(String name) {
    return new Document("db", "streamed").append("coll", name);
  }

  @Test
  void updatesAreDescribedPathByPath() {
    collection.insertOne(
        Document.parse(
            "{_id: 1, a: [1, 2, 3, 4], 'n': {'0': 1, s: [{t: 1}, {t: 2, pad: 'pad pad pad pad pad"
                + " pad pad'}]}, '1': 1}"));
    Stream stream = watch("{showExpandedEvents: true}", "");
    collection.updateOne(
        Filters.eq(1),
        List.of(
            Document.parse(
                "{$set: {a: [1, 2], 'n.s': [{t: 1}, {t: 3, pad: 'pad pad pad pad pad pad pad'}],"
                    + " '1': 2}}"),
            Document.parse(
                "{$replaceWith: {$setField: {field: 'n', input: '$$ROOT', value:"
                    + " {$setField: {field: '0', input: '$n', value: 5}}}}}")));
    Document description = stream.next(1).getFirst().get("updateDescription", Document.class);
    assertThat(description.get("updatedFields"))
        .isEqualTo(Document.parse("{'1': 2, 'n.0': 5, 'n.s.1.t': 3}"));
    assertThat(description.get("truncatedArrays"))
        .isEqualTo(List.of(Document.parse("{field: 'a', newSize: 2}")));
    assertThat(description.get("disambiguatedPaths"))
        .isEqualTo(Document.parse("{'n.0': ['n', '0']}"));
  }

  @Test
  void operatorsAreToldByThePathsThatTheyWereWrittenFor() {
    collection.insertOne(
        Document.parse(
            "{_id: 1, a: {b: 1, c: {d: 1}}, e: {f: 1, g: 2}, h: [{i: 1}, {i: 2}], j: [1]}"));
    Stream stream = watch("{}", "");
    collection.updateOne(
        Filters.eq(1),
        Document.parse(
            "{$set: {'a.b': 2, e: {f: 1, g: 3}, 'h.1.i': 3}, $unset: {'a.c.d': 1}, $push: {j:"
                + " 2}}"));
    assertThat(stream.next(1).getFirst().get("updateDescription"))
        .isEqualTo(
            Document.parse(
                "{updatedFields: {e: {f: 1, g: 3}, 'a.b': 2, 'h.1.i': 3, 'j.1': 2},"
                    + " removedFields: ['a.c.d'], truncatedArrays: []}"));
  }

  @Test
  void theNewestVersionIsLookedUp() {
    collection.insertOne(new Document("_id", 1));
    collection.insertOne(new Document("_id", 2));
    Stream stream = watch("{fullDocument: 'updateLookup'}", "");
    collection.updateOne(Filters.eq(1), Updates.set("a", 1));
    collection.updateOne(Filters.eq(2), Updates.set("a", 1));
    collection.updateOne(Filters.eq(1), Updates.set("b", 1));
    collection.deleteOne(Filters.eq(2));
    List<Document> events = stream.next(4);
    assertThat(events.get(0).get("fullDocument")).isEqualTo(Document.parse("{_id: 1, a: 1, b: 1}"));
    assertThat(events.get(1)).containsEntry("fullDocument", null);
    assertThat(events.get(3)).doesNotContainKey("fullDocument");
  }

  @Test
  void imagesThatAreNotKeptAreNullOrAnError() {
    collection.insertOne(new Document("_id", 1));
    Stream whenAvailable =
        watch("{fullDocument: 'whenAvailable', fullDocumentBeforeChange: 'whenAvailable'}", "");
    Stream required = watch("{fullDocument: 'required'}", "");
    Stream before = watch("{fullDocumentBeforeChange: 'required'}", "");
    collection.updateOne(Filters.eq(1), Updates.set("a", 1));
    assertThat(whenAvailable.next(1).getFirst())
        .containsEntry("fullDocument", null)
        .containsEntry("fullDocumentBeforeChange", null);
    for (Stream stream : List.of(required, before)) {
      assertThatThrownBy(() -> stream.next(1))
          .isInstanceOfSatisfying(
              MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(47));
    }
  }

  @Test
  void imagesThatAreKeptAreGiven() {
    database.runCommand(
        Document.parse("{create: 'kept', changeStreamPreAndPostImages: {enabled: true}}"));
    MongoCollection<Document> kept = database.getCollection("kept");
    kept.insertOne(Document.parse("{_id: 1, a: 1}"));
    var stream =
        new Stream(
            onSecondary,
            "kept",
            ReadPreference.secondary(),
            "{fullDocument: 'required', fullDocumentBeforeChange: 'required'}",
            "");
    kept.updateOne(Filters.eq(1), Updates.set("a", 2));
    kept.replaceOne(Filters.eq(1), new Document("b", 3));
    kept.deleteOne(Filters.eq(1));
    List<Document> events = stream.next(3);
    assertThat(events.stream().map(event -> event.get("fullDocumentBeforeChange")))
        .containsExactly(
            Document.parse("{_id: 1, a: 1}"),
            Document.parse("{_id: 1, a: 2}"),
            Document.parse("{_id: 1, b: 3}"));
    assertThat(events.get(0).get("fullDocument")).isEqualTo(Document.parse("{_id: 1, a: 2}"));
    assertThat(events.get(2)).doesNotContainKey("fullDocument");
  }

  @Test
  void stagesRunOverEvents() {
    Stream stream =
        watch(
            "{}",
            ", {$match: {operationType: 'insert', 'documentKey._id': {$gt: 1}}},"
                + " {$project: {operationType: 1, doc: '$fullDocument'}}");
    Stream none = watch("{}", ", {$project: {_id: 0}}");
    collection.insertOne(new Document("_id", 1));
    collection.insertOne(new Document("_id", 2));
    Document event = stream.next(1).getFirst();
    assertThat(event.keySet()).containsExactly("_id", "operationType", "doc");
    assertThat(event.get("doc")).isEqualTo(new Document("_id", 2));
    assertThatThrownBy(() -> none.next(1))
        .isInstanceOfSatisfying(
            MongoCommandException.class,
            e -> {
              assertThat(e.getCode()).isEqualTo(280);
              assertThat(e.getErrorMessage())
                  .contains(
                      "Encountered an event whose _id field, which contains the resume token");
              assertThat(e.hasErrorLabel("ResumableChangeStreamError")).isFalse();
            });
  }

  @Test
  void definitionsAreEventsForThoseWhoAsk() {
    Stream classic = new Stream(database, 1, ReadPreference.primary(), "{}", "");
    Stream stream =
        new Stream(database, 1, ReadPreference.primary(), "{showExpandedEvents: true}", "");
    database.createCollection("new");
    MongoCollection<Document> made = database.getCollection("new");
    made.createIndex(new Document("a", 1));
    database.runCommand(Document.parse("{collMod: 'new', index: {name: 'a_1', hidden: true}}"));
    made.dropIndex("a_1");
    database.createView("v", "new", List.of(Document.parse("{$match: {a: 1}}")));
    database.runCommand(Document.parse("{collMod: 'v', viewOn: 'c', pipeline: []}"));
    database.getCollection("v").drop();
    made.renameCollection(new MongoNamespace("streamed.renamed"));
    List<Document> events = stream.next(8);
    assertThat(types(events))
        .containsExactly(
            "create",
            "createIndexes",
            "modify",
            "dropIndexes",
            "create",
            "modify",
            "drop",
            "rename");
    assertThat(events.get(0))
        .containsEntry("nsType", "collection")
        .containsKey("collectionUUID")
        .containsKey("operationDescription");
    assertThat(events.get(1).get("operationDescription"))
        .isEqualTo(Document.parse("{indexes: [{v: 2, key: {a: 1}, name: 'a_1'}]}"));
    assertThat(events.get(2).get("operationDescription"))
        .isEqualTo(Document.parse("{index: {name: 'a_1', hidden: true}}"));
    assertThat(events.get(2).get("stateBeforeChange", Document.class))
        .containsEntry("indexOptions", Document.parse("{hidden: false}"));
    assertThat(events.get(3).get("operationDescription"))
        .isEqualTo(Document.parse("{indexes: [{v: 2, key: {a: 1}, name: 'a_1', hidden: true}]}"));
    assertThat(events.get(4)).containsEntry("nsType", "view").containsEntry("ns", ns("v"));
    assertThat(types(classic.next(1))).containsExactly("rename");
  }

  @Test
  void theWholeDeploymentCanBeWatched() {
    MongoDatabase admin = client.getDatabase("admin");
    Stream stream =
        new Stream(
            admin,
            1,
            ReadPreference.primary(),
            "{allChangesForCluster: true}",
            ", {$match: {'ns.db': /^streamed/}}");
    MongoDatabase other = client.getDatabase("streamedToo");
    other.drop();
    collection.insertOne(new Document("_id", 1));
    other.getCollection("x").insertOne(new Document("_id", 2));
    other.drop();
    List<Document> events = stream.next(4);
    assertThat(types(events)).containsExactly("insert", "insert", "drop", "dropDatabase");
    assertThat(stream.id).isNotZero();
  }

  @Test
  void mistakesAreAnsweredAsByMongoDb() {
    assertCode(50808, "'x'", "");
    assertCode(40415, "{nope: 1}", "");
    assertCode(14, "{fullDocument: 1}", "");
    assertCode(2, "{fullDocument: 'all'}", "");
    assertCode(40647, "{resumeAfter: {}}", "");
    assertCode(9, "{resumeAfter: {_data: 'xyz'}}", "");
    assertCode(50811, "{resumeAfter: {_data: 'ABCD'}}", "");
    assertCode(20, "{}", ", {$limit: 1}");
    assertCode(20, "{}", ", {$out: 'x'}");
    assertCode(7182802, "{}", ", {$changeStreamSplitLargeEvent: {}}, {$match: {}}");
    assertCode(7182800, "{}", ", {$changeStreamSplitLargeEvent: {a: 1}}");
    assertCode(40602, "{}", ", {$changeStream: {}}");
    assertCode(72, "{allChangesForCluster: true}", "");
    String token = watch("{}", "").token.toJson();
    assertCode(50865, "{resumeAfter: " + token + ", startAfter: " + token + "}", "");
    String time = "startAtOperationTime: {$timestamp: {t: 1, i: 1}}";
    assertCode(40674, "{resumeAfter: " + token + ", " + time + "}", "");
    for (String internal : List.of("admin", "config", "local")) {
      MongoDatabase in = client.getDatabase(internal);
      assertThatThrownBy(() -> new Stream(in, "c", ReadPreference.primary(), "{}", ""))
          .isInstanceOfSatisfying(
              MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(73));
    }
    assertThatThrownBy(
            () ->
                collection
                    .aggregate(List.of(Document.parse("{$changeStreamSplitLargeEvent: {}}")))
                    .first())
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(20));
  }

  private void assertCode(int code, String options, String rest) {
    assertThatThrownBy(() -> watch(options, rest))
        .as(options + rest)
        .isInstanceOfSatisfying(
            MongoCommandException.class,
            e -> assertThat(e.getCode()).as(options + rest + e).isEqualTo(code));
  }

  @Test
  void errorsThatAStreamCanGoOnAfterHaveALabel() {
    MongoDatabase admin = client.getDatabase("admin");
    for (String command : List.of("getMore", "aggregate")) {
      for (int code : new int[] {91, 189, 10107, 11602, 13436, 234, 133, 136, 280, 43}) {
        Stream stream = watch("{}", "");
        admin.runCommand(
            Document.parse(
                "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['%s'],"
                        .formatted(command)
                    + " errorCode: "
                    + code
                    + "}}"));
        assertThatThrownBy(() -> stream.failing(command))
            .isInstanceOfSatisfying(
                MongoCommandException.class,
                e ->
                    assertThat(e.hasErrorLabel("ResumableChangeStreamError"))
                        .as(command + " " + e)
                        .isEqualTo(code != 136 && code != 280 && code != 43));
        admin.runCommand(Document.parse("{configureFailPoint: 'failCommand', mode: 'off'}"));
      }
    }
  }

  @Test
  void theChangesOfATransactionHaveOneTime() {
    database.createCollection("other");
    MongoCollection<Document> other = database.getCollection("other");
    Stream stream = watch("{}", "");
    Stream all = new Stream(onSecondary, 1, ReadPreference.secondary(), "{}", "");
    try (ClientSession session = client.startSession()) {
      session.startTransaction();
      collection.insertOne(session, new Document("_id", 1));
      other.insertOne(session, new Document("_id", 2));
      collection.updateOne(session, Filters.eq(1), Updates.set("a", 1));
      collection.deleteOne(session, Filters.eq(1));
      session.commitTransaction();
      session.startTransaction();
      collection.insertOne(session, new Document("_id", 3));
      session.abortTransaction();
    }
    collection.insertOne(new Document("_id", 4));
    List<Document> events = stream.next(4);
    assertThat(types(events)).containsExactly("insert", "update", "delete", "insert");
    assertThat(events.subList(0, 3))
        .extracting(event -> event.get("clusterTime"))
        .containsOnly(events.getFirst().get("clusterTime"));
    assertThat(events.subList(0, 3))
        .allSatisfy(event -> assertThat(event).containsKeys("lsid", "txnNumber"));
    assertThat(events.get(3)).doesNotContainKeys("lsid", "txnNumber");
    assertThat(events.stream().map(ChangeStreamTest::data)).isSorted().doesNotHaveDuplicates();
    List<Document> everything = all.next(5);
    for (int i = 0; i < 4; i++) {
      String token = everything.get(i).get("_id", Document.class).toJson();
      var rest =
          new Stream(database, 1, ReadPreference.primary(), "{resumeAfter: " + token + "}", "");
      assertThat(rest.next(4 - i)).isEqualTo(everything.subList(i + 1, 5));
    }
  }

  @Test
  void largeEventsAreSplit() {
    String large = "x".repeat(9 << 20);
    database.runCommand(
        Document.parse("{create: 'large', changeStreamPreAndPostImages: {enabled: true}}"));
    MongoCollection<Document> documents = database.getCollection("large");
    documents.insertOne(new Document("_id", 1).append("pad", large));
    String options = "fullDocument: 'required', fullDocumentBeforeChange: 'required'";
    String split = ", {$changeStreamSplitLargeEvent: {}}";
    var stream =
        new Stream(database, "large", ReadPreference.primary(), "{" + options + "}", split);
    var whole = new Stream(database, "large", ReadPreference.primary(), "{" + options + "}", "");
    documents.updateOne(Filters.eq(1), Updates.set("a", 1));
    documents.insertOne(new Document("_id", 2));
    List<Document> parts = stream.next(3);
    assertThat(parts.get(0).get("splitEvent")).isEqualTo(Document.parse("{fragment: 1, of: 2}"));
    assertThat(parts.get(1).get("splitEvent")).isEqualTo(Document.parse("{fragment: 2, of: 2}"));
    assertThat(parts.get(1).keySet()).hasSize(3);
    assertThat(parts.get(2)).doesNotContainKey("splitEvent");
    assertThatThrownBy(() -> whole.next(1))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(10334));
    String token = parts.get(0).get("_id", Document.class).toJson();
    var rest =
        new Stream(
            database,
            "large",
            ReadPreference.primary(),
            "{" + options + ", resumeAfter: " + token + "}",
            split);
    assertThat(rest.next(2)).isEqualTo(parts.subList(1, 3));
    assertThatThrownBy(
            () ->
                new Stream(
                    database,
                    "large",
                    ReadPreference.primary(),
                    "{resumeAfter: " + token + "}",
                    ""))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(280));
  }

  @Test
  void aTokenThatIsNotInTheStreamIsFatal() {
    Stream all = new Stream(database, 1, ReadPreference.primary(), "{}", "");
    database.getCollection("other").insertOne(new Document());
    String token = all.next(1).getFirst().get("_id", Document.class).toJson();
    collection.insertOne(new Document());
    assertCode(280, "{resumeAfter: " + token + "}", "");
  }
}
