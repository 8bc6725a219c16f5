package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code moveChunk} and {@code moveRange} through a router. */
class MoveChunkTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  @BeforeAll
  static void chunksAreNotSplitByWrites() {
    CLUSTER
        .metadata("settings")
        .insertOne(BsonDocument.parse("{_id: 'autosplit', enabled: false}"));
  }

  private static MongoCollection<Document> sharded(String namespace, int documents) {
    String database = namespace.substring(0, namespace.indexOf('.'));
    CLUSTER.create(database, 0);
    CLUSTER.admin("{shardCollection: '%s', key: {k: 1}}".formatted(namespace));
    MongoCollection<Document> collection = CLUSTER.collection(namespace);
    if (documents > 0) {
      collection.insertMany(
          IntStream.range(0, documents)
              .mapToObj(i -> new Document("_id", i).append("k", i).append("n", 0))
              .toList());
    }
    return collection;
  }

  private static void move(String namespace, String range, int shard) {
    CLUSTER.admin("{moveRange: '%s', %s, toShard: 'shard%d'}".formatted(namespace, range, shard));
  }

  private static List<Integer> ids(MongoCollection<Document> collection) {
    return collection
        .find()
        .sort(Sorts.ascending("_id"))
        .map(each -> each.getInteger("_id"))
        .into(new ArrayList<>());
  }

  private static List<Integer> upTo(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  /** How many documents a shard gives to a router. */
  private static List<BsonDocument> chunks(String namespace) {
    BsonDocument collection = CLUSTER.metadata("collections").find(Filters.eq(namespace)).first();
    return CLUSTER
        .metadata("chunks")
        .find(Filters.eq("uuid", collection.get("uuid")))
        .sort(Sorts.ascending("min"))
        .into(new ArrayList<>());
  }

  private static List<String> owners(String namespace) {
    return chunks(namespace).stream().map(each -> each.getString("shard").getValue()).toList();
  }

  private static void assertConsistent(String namespace) {
    String database = namespace.substring(0, namespace.indexOf('.'));
    assertThat(
            CLUSTER
                .run(database, "{checkMetadataConsistency: 1}")
                .getDocument("cursor")
                .getArray("firstBatch"))
        .isEmpty();
    assertThat(CLUSTER.metadata("migrations").countDocuments()).isZero();
    for (int i = 0; i < 2; i++) {
      for (String name :
          List.of("migrationCoordinators", "migrationRecipients", "shard.catalog.moves")) {
        assertThat(CLUSTER.onShard(i, "config").getCollection(name).countDocuments())
            .as(name)
            .isZero();
      }
    }
  }

  @Test
  void anEmptyRangeMoves() {
    MongoCollection<Document> collection = sharded("empty.c", 0);
    move("empty.c", "min: {k: {$minKey: 1}}, max: {k: {$maxKey: 1}}", 1);
    assertThat(owners("empty.c")).containsExactly("shard1");
    collection.insertOne(new Document("_id", 1).append("k", 1));
    assertThat(collection.countDocuments()).isOne();
    assertThat(CLUSTER.onShard(1, "empty").getCollection("c").countDocuments()).isOne();
    assertConsistent("empty.c");
  }

  @Test
  void documentsMoveThereAndBack() {
    MongoCollection<Document> collection = sharded("back.c", 2500);
    collection.createIndex(new Document("n", 1));
    move("back.c", "min: {k: 1000}, max: {k: 2000}", 1);
    assertThat(owners("back.c")).containsExactly("shard0", "shard1", "shard0");
    assertThat(ids(collection)).isEqualTo(upTo(2500));
    assertThat(collection.countDocuments()).isEqualTo(2500);
    assertThat(collection.estimatedDocumentCount()).isEqualTo(2500);
    assertThat(CLUSTER.onShard(1, "back").getCollection("c").countDocuments()).isEqualTo(1000);
    assertThat(collection.updateMany(new Document(), Updates.inc("n", 1)).getModifiedCount())
        .isEqualTo(2500);
    assertThat(collection.countDocuments(Filters.eq("n", 1))).isEqualTo(2500);
    collection.deleteMany(Filters.gte("k", 1990));
    assertConsistent("back.c");
    move("back.c", "min: {k: 1000}, max: {k: 2000}", 0);
    assertThat(owners("back.c")).containsExactly("shard0", "shard0", "shard0");
    assertThat(ids(collection)).isEqualTo(upTo(1990));
    assertThat(collection.estimatedDocumentCount()).isEqualTo(1990);
    assertThat(collection.countDocuments(Filters.eq("n", 1))).isEqualTo(1990);
    assertThat(CLUSTER.onShard(1, "back").getCollection("c").listIndexes().into(new ArrayList<>()))
        .hasSize(3);
    assertConsistent("back.c");
  }

  @Test
  void chunksOfHashedKeysMove() {
    CLUSTER.create("hashed", 0);
    CLUSTER.admin("{shardCollection: 'hashed.c', key: {k: 'hashed'}}");
    MongoCollection<Document> collection = CLUSTER.collection("hashed.c");
    collection.insertMany(
        IntStream.range(0, 500)
            .mapToObj(i -> new Document("_id", i).append("k", "k" + i))
            .toList());
    BsonDocument reply = CLUSTER.admin("{moveChunk: 'hashed.c', find: {k: 'k7'}, to: 'shard0'}");
    assertThat(reply.getInt64("millis").getValue()).isNotNegative();
    CLUSTER.admin("{moveChunk: 'hashed.c', find: {k: 'k7'}, to: 'shard1'}");
    assertThat(ids(collection)).isEqualTo(upTo(500));
    assertThat(collection.find(Filters.eq("k", "k7")).first()).containsEntry("_id", 7);
    assertThat(collection.countDocuments()).isEqualTo(500);
    assertConsistent("hashed.c");
  }

  @Test
  void versionsAndHistoryAreThoseOfMongoDb() {
    sharded("version.c", 30);
    CLUSTER.admin("{split: 'version.c', middle: {k: 10}}");
    CLUSTER.admin("{split: 'version.c', middle: {k: 20}}");
    move("version.c", "min: {k: 10}, max: {k: 20}", 1);
    List<BsonDocument> chunks = chunks("version.c");
    assertThat(chunks.get(1).getTimestamp("lastmod").getTime()).isEqualTo(2);
    assertThat(chunks.get(1).getTimestamp("lastmod").getInc()).isZero();
    assertThat(chunks.get(0).getTimestamp("lastmod").getTime()).isEqualTo(2);
    assertThat(chunks.get(0).getTimestamp("lastmod").getInc()).isEqualTo(1);
    assertThat(chunks.get(2).getTimestamp("lastmod").getTime()).isEqualTo(1);
    assertThat(chunks.get(1).getArray("history")).hasSize(2);
    assertThat(
            CLUSTER
                .metadata("changelog")
                .find(Filters.eq("ns", "version.c"))
                .map(each -> each.getString("what").getValue())
                .into(new ArrayList<>()))
        .contains("moveChunk.start", "moveChunk.commit", "moveChunk.from", "moveChunk.to");
  }

  /**
   * The donor has the version of the migration in the metadata too, whichever of its chunks goes.
   * Otherwise it refuses every router that has read them.
   */
  @Test
  void theFirstChunkOfAShardMoves() {
    MongoCollection<Document> collection = sharded("first.c", 30);
    CLUSTER.admin("{split: 'first.c', middle: {k: 10}}");
    CLUSTER.admin("{split: 'first.c', middle: {k: 20}}");
    CLUSTER.admin("{moveChunk: 'first.c', find: {k: 1}, to: 'shard1'}");
    assertThat(
            chunks("first.c").stream()
                .filter(each -> each.getTimestamp("lastmod").getTime() == 2)
                .map(each -> each.getString("shard").getValue()))
        .containsExactlyInAnyOrder("shard0", "shard1");
    CLUSTER.admin("{flushRouterConfig: 'first.c'}");
    assertThat(ids(collection)).isEqualTo(upTo(30));
  }

  @Test
  void errorsAreThoseOfMongoDb() {
    sharded("errors.c", 10);
    assertThat(code("{moveChunk: 'errors.c', find: {k: 1}, to: 'none'}")).isEqualTo(70);
    assertThat(code("{moveChunk: 'errors.c', bounds: [{k: 1}, {k: 2}], to: 'shard1'}"))
        .isEqualTo(2);
    assertThat(code("{moveChunk: 'errors.none', find: {k: 1}, to: 'shard1'}")).isEqualTo(118);
    assertThat(code("{moveChunk: 'errors.c', to: 'shard1'}")).isEqualTo(72);
    assertThat(code("{moveRange: 'errors.c', toShard: 'shard1'}")).isEqualTo(72);
    CLUSTER.admin("{moveChunk: 'errors.c', find: {k: 1}, to: 'shard0'}");
    assertThat(owners("errors.c")).containsExactly("shard0");
  }

  private static int code(String command) {
    return CLUSTER.fail("admin", command).getInt32("code").getValue();
  }

  @Test
  void aChunkThatIsTooLargeStays() {
    MongoCollection<Document> collection = sharded("large.c", 0);
    CLUSTER.admin("{configureCollectionBalancing: 'large.c', chunkSize: 1}");
    String text = "x".repeat(100_000);
    for (int i = 0; i < 20; i++) {
      collection.insertOne(new Document("_id", i).append("k", 5).append("text", text));
    }
    assertThat(code("{moveRange: 'large.c', min: {k: 5}, max: {k: 6}, toShard: 'shard1'}"))
        .isEqualTo(153);
    assertThat(collection.countDocuments()).isEqualTo(20);
    CLUSTER.admin(
        "{moveRange: 'large.c', min: {k: 5}, max: {k: 6}, toShard: 'shard1', forceJumbo: true}");
    assertThat(collection.countDocuments()).isEqualTo(20);
    assertThat(CLUSTER.onShard(1, "large").getCollection("c").countDocuments()).isEqualTo(20);
    assertConsistent("large.c");
  }

  @Test
  void withOneBoundAsMuchAsAChunkMayHaveMoves() {
    MongoCollection<Document> collection = sharded("part.c", 0);
    String text = "x".repeat(10_000);
    collection.insertMany(
        IntStream.range(0, 600)
            .mapToObj(i -> new Document("_id", i).append("k", i).append("text", text))
            .toList());
    CLUSTER.admin("{configureCollectionBalancing: 'part.c', chunkSize: 1}");
    move("part.c", "min: {k: 100}", 1);
    List<Integer> moved = idsOn(1, collection);
    assertThat(moved).hasSizeBetween(80, 105).startsWith(100);
    move("part.c", "max: {k: 500}", 1);
    List<Integer> last = idsOn(1, collection);
    last.removeAll(moved);
    assertThat(last).hasSizeBetween(80, 105).endsWith(499);
    // Less than a chunk may have.
    move("part.c", "max: {k: 60}", 1);
    assertThat(idsOn(1, collection)).containsAll(upTo(60)).doesNotContain(60);
    assertThat(ids(collection)).isEqualTo(upTo(600));
    assertConsistent("part.c");
  }

  /** What has come to a shard: it has nothing that it does not own. */
  private static List<Integer> idsOn(int shard, MongoCollection<Document> collection) {
    String database = collection.getNamespace().getDatabaseName();
    return ids(CLUSTER.onShard(shard, database).getCollection("c"));
  }

  /** Rule H13: of two documents with one _id on two shards none is lost. */
  @Test
  void aDocumentThatTheRecipientOwnsIsNotReplaced() {
    MongoCollection<Document> collection = sharded("twice.c", 0);
    move("twice.c", "min: {k: 10}, max: {k: 20}", 1);
    collection.insertOne(new Document("_id", 1).append("k", 5));
    collection.insertOne(new Document("_id", 1).append("k", 15));
    assertThat(code("{moveRange: 'twice.c', min: {k: 0}, max: {k: 10}, toShard: 'shard1'}"))
        .isEqualTo(11000);
    assertThat(collection.find().map(each -> each.getInteger("k")).into(new ArrayList<>()))
        .containsExactlyInAnyOrder(5, 15);
    assertThat(collection.countDocuments()).isEqualTo(2);
    assertConsistent("twice.c");
  }

  /** A retry that comes after a move finds what its first attempt has done. */
  @Test
  void aRetryIsAnsweredByTheNewShard() {
    MongoCollection<Document> collection = sharded("retry.c", 0);
    Document session = new Document("id", new Binary((byte) 4, new byte[16]));
    String update =
        "{update: 'c', updates: [{q: {k: 15}, u: {$inc: {n: 1}}, upsert: true}], txnNumber:"
            + " {$numberLong: '1'}}";
    Document command = Document.parse(update).append("lsid", session);
    Document first = CLUSTER.raw("retry", command);
    assertThat(first.get("upserted")).as(first.toJson()).isNotNull();
    move("retry.c", "min: {k: 10}, max: {k: 20}", 1);
    Document again = CLUSTER.raw("retry", command);
    assertThat(again.get("upserted")).isEqualTo(first.get("upserted"));
    assertThat(again.getList("retriedStmtIds", Integer.class)).containsExactly(0);
    assertThat(collection.find().first()).containsEntry("n", 1);
    assertThat(collection.countDocuments()).isOne();
  }

  /** What sessions do after their records were copied is sent at the end. */
  @Test
  void aRetryOfAWriteDuringTheMoveIsAnsweredByTheNewShard() {
    MongoCollection<Document> collection = sharded("during.c", 30);
    Runnable goOn = CLUSTER.hold("moveRange.flip.before");
    var moved = CompletableFuture.runAsync(() -> move("during.c", "min: {k: 10}, max: {k: 20}", 1));
    CLUSTER.awaitPhase("moveRange", "flip");
    Document session =
        new Document(
            "id", new Binary((byte) 4, "another session.".getBytes(StandardCharsets.US_ASCII)));
    Document command =
        Document.parse(
                "{findAndModify: 'c', query: {k: 15}, update: {$inc: {n: 1}}, new: true, txnNumber:"
                    + " {$numberLong: '7'}}")
            .append("lsid", session);
    Document first = CLUSTER.raw("during", command);
    collection.insertOne(new Document("_id", 100).append("k", 19).append("n", 0));
    collection.deleteOne(Filters.eq("k", 12));
    goOn.run();
    moved.join();
    assertThat(CLUSTER.raw("during", command).get("value")).isEqualTo(first.get("value"));
    assertThat(collection.find(Filters.eq("k", 15)).first()).containsEntry("n", 1);
    assertThat(collection.estimatedDocumentCount()).isEqualTo(30);
    assertThat(CLUSTER.onShard(1, "during").getCollection("c").countDocuments()).isEqualTo(10);
    assertConsistent("during.c");
  }

  /** Change streams of shards leave the documents out that only move. */
  @Test
  void entriesOfMigrationsAreMarked() {
    sharded("marked.c", 10);
    move("marked.c", "min: {k: 2}, max: {k: 5}", 1);
    List<Document> entries =
        CLUSTER
            .onShard(1, "local")
            .getCollection("oplog.rs")
            .find(Filters.and(Filters.eq("ns", "marked.c"), Filters.eq("op", "i")))
            .into(new ArrayList<>());
    assertThat(entries).hasSize(3);
    assertThat(entries).allSatisfy(entry -> assertThat(entry).containsEntry("fromMigrate", true));
  }

  @Test
  void whatIsGivenAwayIsDeleted() {
    MongoCollection<Document> collection = sharded("gone.c", 20);
    CLUSTER.admin(
        "{moveRange: 'gone.c', min: {k: 5}, max: {k: 15}, toShard: 'shard1', waitForDelete: true}");
    assertThat(CLUSTER.onShard(0, "gone").getCollection("c").countDocuments()).isEqualTo(10);
    assertThat(CLUSTER.onShard(1, "gone").getCollection("c").countDocuments()).isEqualTo(10);
    assertThat(ids(collection)).isEqualTo(upTo(20));
  }

  @Test
  void deletionsThatAreSwitchedOffAreNotWaitedFor() {
    MongoCollection<Document> collection = sharded("later.c", 20);
    String disabled = "{setParameter: 1, disableResumableRangeDeleter: %s}";
    CLUSTER.onShard(0, "admin").runCommand(Document.parse(disabled.formatted(true)));
    try {
      CLUSTER.admin(
          "{moveRange: 'later.c', min: {k: 5}, max: {k: 15}, toShard: 'shard1', waitForDelete:"
              + " true}");
      assertThat(CLUSTER.onShard(0, "later").getCollection("c").countDocuments()).isEqualTo(20);
      assertThat(collection.countDocuments()).isEqualTo(20);
      move("later.c", "min: {k: 0}, max: {k: 5}", 1);
    } finally {
      CLUSTER.onShard(0, "admin").runCommand(Document.parse(disabled.formatted(false)));
    }
    CLUSTER.await(
        "the end of the deletion",
        () -> CLUSTER.onShard(0, "later").getCollection("c").countDocuments() <= 10);
  }
}
