package dev.wisent.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.ConnectionString;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.result.UpdateResult;
import dev.wisent.cluster.embedded.EmbeddedNode;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBinarySubType;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Updates of shard keys that move documents to another shard, as a driver sees them. */
class MovedDocumentsTest {
  @TempDir static Path directory;
  private static TransactionCluster cluster;
  private static EmbeddedNode other;

  @BeforeAll
  static void start() {
    cluster = new TransactionCluster(2, directory.resolve("cluster"));
    other = cluster.cluster().newRouter(directory.resolve("other"), options -> {});
  }

  @AfterAll
  static void stop() {
    other.close();
    cluster.close();
  }

  /** Keys below 100 are on the first shard. */
  private static MongoCollection<Document> filled(String name) {
    MongoCollection<Document> collection = cluster.sharded("moved." + name, "k");
    collection.insertMany(
        List.of(
            Document.parse("{_id: 1, k: 1, x: 1}"),
            Document.parse("{_id: 2, k: 2, x: 2}"),
            Document.parse("{_id: 3, k: 103, x: 3}")));
    return collection;
  }

  private static List<String> all(MongoCollection<Document> collection) {
    return collection.find().sort(new Document("_id", 1)).into(new ArrayList<>()).stream()
        .map(each -> "%s:%s:%s".formatted(each.get("_id"), each.get("k"), each.get("x")))
        .toList();
  }

  private static List<Object> on(int shard, MongoCollection<Document> collection) {
    return cluster
        .shardClient(shard)
        .getDatabase("moved")
        .getCollection(collection.getNamespace().getCollectionName())
        .find()
        .sort(new Document("_id", 1))
        .map(each -> each.get("_id"))
        .into(new ArrayList<>());
  }

  @Test
  void updatesMoveADocumentToTheShardOfItsNewKey() {
    MongoCollection<Document> collection = filled("update");
    UpdateResult result =
        collection.updateOne(
            Filters.eq("k", 1), Updates.combine(Updates.set("k", 150), Updates.inc("x", 1)));
    assertThat(result.getMatchedCount()).isEqualTo(1);
    assertThat(result.getModifiedCount()).isEqualTo(1);
    assertThat(all(collection)).containsExactly("1:150:2", "2:2:2", "3:103:3");
    assertThat(on(0, collection)).containsExactly(2);
    assertThat(on(1, collection)).containsExactly(1, 3);
    // Without the key in the filter, since 7.1.
    collection.updateOne(Filters.eq("_id", 1), Updates.set("k", 5));
    collection.replaceOne(Filters.eq("x", 3), Document.parse("{k: 3, x: 30}"));
    assertThat(all(collection)).containsExactly("1:5:2", "2:2:2", "3:3:30");
    assertThat(on(1, collection)).isEmpty();
    // A missing key is null, which is on the first shard.
    collection.updateOne(Filters.eq("k", 2), Updates.set("k", 200));
    collection.updateOne(Filters.eq("k", 200), Updates.unset("k"));
    assertThat(all(collection)).containsExactly("1:5:2", "2:null:2", "3:3:30");
    assertThat(on(0, collection)).containsExactly(1, 2, 3);
  }

  @Test
  void findAndModifyReturnsTheDocumentBeforeOrAfter() {
    MongoCollection<Document> collection = filled("findAndModify");
    assertThat(
            collection.findOneAndUpdate(
                Filters.eq("k", 1),
                Updates.set("k", 150),
                new FindOneAndUpdateOptions().projection(Projections.include("k"))))
        .isEqualTo(Document.parse("{_id: 1, k: 1}"));
    assertThat(
            collection.findOneAndReplace(
                Filters.eq("_id", 1),
                Document.parse("{k: 10, x: 7}"),
                new FindOneAndReplaceOptions().returnDocument(ReturnDocument.AFTER)))
        .isEqualTo(Document.parse("{_id: 1, k: 10, x: 7}"));
    assertThat(
            collection.findOneAndUpdate(
                Filters.gt("x", 0),
                List.of(new Document("$set", new Document("k", 500))),
                new FindOneAndUpdateOptions()
                    .sort(new Document("x", -1))
                    .upsert(true)
                    .returnDocument(ReturnDocument.AFTER)))
        .isEqualTo(Document.parse("{_id: 1, k: 500, x: 7}"));
    assertThat(on(1, collection)).containsExactly(1, 3);
  }

  @Test
  void batchesGoOnAfterAMove() {
    MongoCollection<Document> collection = filled("batch");
    var result =
        collection.bulkWrite(
            List.of(
                new UpdateOneModel<>(Filters.eq("k", 1), Updates.set("k", 101)),
                new UpdateOneModel<>(Filters.eq("k", 101), Updates.inc("x", 10)),
                new UpdateOneModel<>(Filters.eq("k", 2), Updates.set("k", 102)),
                new UpdateOneModel<>(
                    Filters.eq("k", 50), Updates.set("x", 5), new UpdateOptions().upsert(true)),
                new UpdateOneModel<>(Filters.eq("k", 103), Updates.set("k", 3))));
    assertThat(result.getModifiedCount()).isEqualTo(4);
    assertThat(result.getUpserts()).extracting(each -> each.getIndex()).containsExactly(3);
    assertThat(on(1, collection)).containsExactly(1, 2);
    assertThat(collection.find(Filters.eq("_id", 1)).first()).containsEntry("x", 11);
    var unordered =
        catchThrowableOfType(
            MongoBulkWriteException.class,
            () ->
                collection.bulkWrite(
                    List.of(
                        new UpdateOneModel<>(Filters.eq("k", 101), Updates.set("k", 1)),
                        new UpdateOneModel<>(Filters.eq("k", 102), Updates.set("k", List.of(1))),
                        new UpdateOneModel<>(Filters.eq("k", 3), Updates.set("k", 103))),
                    new BulkWriteOptions().ordered(false)));
    assertThat(unordered.getWriteResult().getModifiedCount()).isEqualTo(2);
    assertThat(unordered.getWriteErrors()).hasSize(1);
    assertThat(unordered.getWriteErrors().getFirst().getIndex()).isEqualTo(1);
    assertThat(unordered.getWriteErrors().getFirst().getCode()).isEqualTo(54);
    assertThat(unordered.getWriteErrors().getFirst().getMessage())
        .isEqualTo(
            "After applying the update to the document, the field 'k' was found to be an array or"
                + " array descendant.");
  }

  @Test
  void upsertsFindWhatHasMoved() {
    MongoCollection<Document> collection = filled("upsert");
    var upsert = new ReplaceOptions().upsert(true);
    assertThat(
            collection
                .replaceOne(Filters.eq("k", 1), Document.parse("{k: 120, x: 9}"), upsert)
                .getModifiedCount())
        .isEqualTo(1);
    assertThat(
            collection
                .replaceOne(Filters.eq("k", 1), Document.parse("{_id: 9, k: 130}"), upsert)
                .getUpsertedId())
        .isNotNull();
    assertThat(on(0, collection)).containsExactly(2);
    assertThat(on(1, collection)).containsExactly(1, 3, 9);
  }

  @Test
  void duplicateIdOnTheOtherShardIsRefused() {
    MongoCollection<Document> collection = filled("duplicate");
    collection.insertOne(Document.parse("{_id: 1, k: 300, x: 0}"));
    MongoWriteException error =
        catchThrowableOfType(
            MongoWriteException.class,
            () -> collection.updateOne(Filters.eq("k", 1), Updates.set("k", 150)));
    assertThat(error.getCode()).isEqualTo(11000);
    assertThat(error.getError().getMessage())
        .startsWith(
            "Failed to update document's shard key field. There is either an orphan for this"
                + " document or _id for this collection is not globally unique. :: caused by ::"
                + " E11000 duplicate key error");
    assertThat(on(0, collection)).containsExactly(1, 2);
    assertThat(on(1, collection)).containsExactly(1, 3);
  }

  @Test
  void whatMongoDbRefusesIsRefused() {
    MongoCollection<Document> collection = filled("refused");
    assertThatThrownBy(() -> collection.updateMany(Filters.eq("k", 1), Updates.set("k", 150)))
        .hasMessageContaining(
            "Multi-update operations are not allowed when updating the shard key field.");
    var settings =
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(cluster.cluster().uri()))
            .retryWrites(false)
            .build();
    try (MongoClient plain = MongoClients.create(settings)) {
      MongoCollection<Document> once =
          plain.getDatabase("moved").getCollection(collection.getNamespace().getCollectionName());
      for (int key : new int[] {50, 150}) {
        assertThatThrownBy(() -> once.updateOne(Filters.eq("k", 1), Updates.set("k", key)))
            .isInstanceOf(MongoWriteException.class)
            .hasMessageContaining(
                "Must run update to shard key field in a multi-statement transaction or with"
                    + " retryWrites: true.");
      }
    }
    assertThat(all(collection)).containsExactly("1:1:1", "2:2:2", "3:103:3");
  }

  @Test
  void aTransactionOfTheClientMovesInItself() {
    MongoCollection<Document> collection = filled("transaction");
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction();
      collection.updateOne(session, Filters.eq("k", 1), Updates.set("k", 150));
      assertThat(collection.find(session, Filters.eq("k", 150)).first()).containsEntry("x", 1);
      assertThat(collection.find(Filters.eq("k", 1)).first()).containsEntry("x", 1);
      assertThat(
              collection.findOneAndUpdate(
                  session,
                  Filters.eq("_id", 3),
                  Updates.set("k", 3),
                  new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER)))
          .containsEntry("k", 3);
      session.abortTransaction();
      assertThat(all(collection)).containsExactly("1:1:1", "2:2:2", "3:103:3");
      session.startTransaction();
      collection.updateOne(session, Filters.eq("k", 1), Updates.set("k", 150));
      collection.updateOne(session, Filters.eq("k", 150), Updates.inc("x", 1));
      collection.updateOne(session, Filters.eq("k", 150), Updates.set("k", 5));
      collection.updateOne(session, Filters.eq("_id", 2), Updates.set("k", 160));
      session.commitTransaction();
    }
    assertThat(all(collection)).containsExactly("1:5:2", "2:160:2", "3:103:3");
    assertThat(on(0, collection)).containsExactly(1);
  }

  @Test
  void aDuplicateIdAbortsTheTransaction() {
    MongoCollection<Document> collection = filled("abortedByDuplicate");
    collection.insertOne(Document.parse("{_id: 1, k: 300, x: 0}"));
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction();
      collection.updateOne(session, Filters.eq("k", 2), Updates.inc("x", 1));
      assertThatThrownBy(
              () -> collection.updateOne(session, Filters.eq("k", 1), Updates.set("k", 150)))
          .isInstanceOf(MongoException.class)
          .hasMessageContaining("E11000");
    }
    assertThat(all(collection)).containsExactly("1:1:1", "1:300:0", "2:2:2", "3:103:3");
  }

  /** Writers of the same documents wait for each other, and each has its effect once. */
  @Test
  void writersDoNotDisturbEachOther() throws Exception {
    MongoCollection<Document> collection = filled("contended");
    int writers = 4;
    int updates = 20;
    try (var threads = Executors.newFixedThreadPool(writers)) {
      var done = new ArrayList<Future<?>>();
      for (int writer = 0; writer < writers; writer++) {
        var random = new SplittableRandom(writer);
        done.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < updates; i++) {
                    UpdateResult result =
                        collection.updateOne(
                            Filters.eq("_id", 1 + random.nextInt(3)),
                            Updates.combine(
                                Updates.set("k", random.nextInt(200)), Updates.inc("y", 1)));
                    assertThat(result.getModifiedCount()).isEqualTo(1);
                  }
                }));
      }
      for (Future<?> each : done) {
        each.get(2, TimeUnit.MINUTES);
      }
    }
    List<Document> documents = collection.find().into(new ArrayList<>());
    assertThat(documents).extracting(each -> each.get("_id")).containsExactlyInAnyOrder(1, 2, 3);
    assertThat(documents.stream().mapToInt(each -> each.getInteger("y", 0)).sum())
        .isEqualTo(writers * updates);
    // All three may have ended on one shard.
    var stored = new ArrayList<>(on(0, collection));
    stored.addAll(on(1, collection));
    assertThat(stored).containsExactlyInAnyOrder(1, 2, 3);
  }

  private static Document session() {
    UUID id = UUID.randomUUID();
    ByteBuffer bytes = ByteBuffer.allocate(16);
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    return new Document("id", new Binary(BsonBinarySubType.UUID_STANDARD, bytes.array()));
  }

  /** Sends commands under one session, through both routers in turn. */
  private static final class Retries {
    private final Document session = session();
    private int sent;

    Document run(String json, long number) {
      EmbeddedNode router = sent++ % 2 == 0 ? cluster.cluster().router() : other;
      Document command = Document.parse(json);
      command.append("lsid", session).append("txnNumber", number);
      return cluster.raw(router.address(), "moved", command);
    }
  }

  /** The document comes back in between, so that a second move would be possible. */
  @Test
  void aRetryThroughAnotherRouterChangesNothing() {
    MongoCollection<Document> collection = filled("retried");
    var retries = new Retries();
    String update = "{update: 'retried', updates: [{q: %s, u: {$set: {k: 150}, $inc: {x: 1}}}]}";
    long number = 1;
    for (String query : List.of("{k: 1}", "{_id: 1}")) {
      number++;
      Document first = retries.run(update.formatted(query), number);
      assertThat(first).containsEntry("n", 1).containsEntry("nModified", 1);
      collection.updateOne(Filters.eq("k", 150), Updates.set("k", 1));
      Document second = retries.run(update.formatted(query), number);
      assertThat(second).containsEntry("n", 1).containsEntry("nModified", 1);
      assertThat(second.getList("retriedStmtIds", Integer.class)).containsExactly(0);
      assertThat(collection.find(Filters.eq("_id", 1)).first()).containsEntry("k", 1);
    }
    assertThat(collection.find(Filters.eq("_id", 1)).first()).containsEntry("x", 3);
    String modify =
        "{findAndModify: 'retried', query: {k: 1}, update: {$set: {k: 150}, $inc: {x: 1}},"
            + " fields: {x: 1}, new: %s}";
    for (boolean after : new boolean[] {false, true}) {
      number++;
      Document first = retries.run(modify.formatted(after), number);
      collection.updateOne(Filters.eq("k", 150), Updates.set("k", 1));
      Document second = retries.run(modify.formatted(after), number);
      assertThat(second.get("value")).isEqualTo(first.get("value"));
      assertThat(second).containsEntry("retriedStmtId", 0);
    }
    assertThat(collection.find(Filters.eq("_id", 1)).first())
        .isEqualTo(Document.parse("{_id: 1, k: 1, x: 5}"));
  }

  private static Document version(String namespace, int shard) {
    var config = cluster.client().getDatabase("config");
    Document collection =
        config.getCollection("collections").find(Filters.eq("_id", namespace)).first();
    Document chunk =
        config
            .getCollection("chunks")
            .find(
                Filters.and(
                    Filters.eq("uuid", collection.get("uuid")),
                    Filters.eq("shard", "shard" + shard)))
            .sort(new Document("lastmod", -1))
            .first();
    return new Document("e", collection.get("lastmodEpoch"))
        .append("t", collection.get("timestamp"))
        .append("v", chunk.get("lastmod"));
  }

  /**
   * Rule H12: a request of the first attempt is still on its way to a shard when the retry runs,
   * which changes another document on another shard.
   */
  @Test
  void aLateRequestOfAnEarlierAttemptHasNoEffect() {
    MongoCollection<Document> collection = filled("late");
    collection.updateOne(Filters.eq("k", 2), Updates.set("x", 0));
    Document lsid = session();
    String update = "{update: 'late', updates: [{q: %s, u: {$inc: {x: 1}}}]}";
    var attempt = new Document("attempt", 5L);
    for (int shard = 0; shard < 2; shard++) {
      Document registration =
          Document.parse("{delete: 'late', deletes: [{q: {$alwaysFalse: 1}, limit: 1}]}")
              .append("lsid", lsid)
              .append("txnNumber", 1L)
              .append("shardVersion", version("moved.late", shard))
              .append("routing", new Document(attempt).append("register", true));
      assertThat(cluster.raw(cluster.shardAddress(shard), "moved", registration))
          .containsEntry("ok", 1.0);
    }
    Document retry =
        Document.parse(update.formatted("{x: 3}")).append("lsid", lsid).append("txnNumber", 1L);
    assertThat(cluster.raw(other.address(), "moved", retry)).containsEntry("nModified", 1);
    Document late =
        Document.parse(update.formatted("{k: 1, _id: 1, $and: [{x: 1}]}"))
            .append("lsid", lsid)
            .append("txnNumber", 1L)
            .append("shardVersion", version("moved.late", 0))
            .append("routing", attempt);
    assertThat(
            cluster
                .raw(cluster.shardAddress(0), "moved", late)
                .getList("writeErrors", Document.class))
        .extracting(error -> error.get("code"))
        .containsExactly(117);
    assertThat(all(collection)).containsExactly("1:1:1", "2:2:0", "3:103:4");
  }
}
