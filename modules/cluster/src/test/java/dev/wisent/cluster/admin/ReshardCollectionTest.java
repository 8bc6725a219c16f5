package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What {@code reshardCollection} and {@code unshardCollection} make of a collection. */
class ReshardCollectionTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final int DOCUMENTS = 300;
  private static int databases;

  /** A collection by {@code k} on both shards, with documents that have another field {@code x}. */
  private static String prepare() {
    String namespace = "reshard" + databases++ + ".c";
    CLUSTER.create(namespace.substring(0, namespace.indexOf('.')), 0);
    CLUSTER.shardByK(namespace);
    CLUSTER.collection(namespace).createIndex(new Document("n", 1));
    CLUSTER
        .collection(namespace)
        .insertMany(
            AdminCluster.documents(DOCUMENTS).stream()
                .map(each -> each.append("x", each.getInteger("_id") * 7 % DOCUMENTS))
                .map(each -> each.append("n", 0))
                .toList());
    return namespace;
  }

  private static void assertWhole(String namespace) {
    MongoCollection<Document> collection = CLUSTER.collection(namespace);
    assertThat(
            collection
                .find()
                .sort(Sorts.ascending("_id"))
                .map(each -> each.getInteger("_id"))
                .into(new ArrayList<>()))
        .isEqualTo(IntStream.range(0, DOCUMENTS).boxed().toList());
    assertThat(collection.countDocuments()).isEqualTo(DOCUMENTS);
    assertThat(collection.estimatedDocumentCount()).isEqualTo(DOCUMENTS);
    assertThat(collection.find(Filters.eq("x", 7)).first()).containsEntry("_id", 1);
    assertThat(collection.find(Filters.eq("k", 0)).first()).containsEntry("_id", DOCUMENTS / 2);
    assertThat(collection.updateMany(new Document(), Updates.inc("n", 1)).getModifiedCount())
        .isEqualTo(DOCUMENTS);
    assertThat(collection.updateOne(Filters.eq("x", 14), Updates.inc("y", 1)).getModifiedCount())
        .isOne();
    collection.insertOne(new Document("_id", DOCUMENTS).append("k", 1).append("x", 1000));
    assertThat(collection.deleteOne(Filters.eq("x", 1000)).getDeletedCount()).isOne();
    assertNothingLeft(namespace);
  }

  /** Nothing of an operation is left on any shard, and what they know agrees. */
  private static void assertNothingLeft(String namespace) {
    String database = namespace.substring(0, namespace.indexOf('.'));
    for (int i = 0; i < 2; i++) {
      assertThat(CLUSTER.onShard(i, database).listCollectionNames().into(new ArrayList<>()))
          .noneMatch(name -> name.startsWith("system.resharding"));
      for (String name :
          List.of(
              "localReshardingOperations.donor",
              "localReshardingOperations.recipient",
              "shard.catalog.blocks")) {
        assertThat(CLUSTER.onShard(i, "config").getCollection(name).countDocuments())
            .as("%s of shard%d", name, i)
            .isZero();
      }
    }
    assertThat(
            CLUSTER
                .config(
                    "{_configsvrCheckMetadataConsistency: '%s', checkIndexes: true}"
                        .formatted(database))
                .getList("inconsistencies", Document.class))
        .isEmpty();
  }

  private static BsonDocument metadata(String namespace) {
    return CLUSTER.metadata("collections").find(Filters.eq(namespace)).first();
  }

  private static List<BsonDocument> chunks(String namespace) {
    return CLUSTER
        .metadata("chunks")
        .find(Filters.eq("uuid", metadata(namespace).get("uuid")))
        .sort(Sorts.ascending("min"))
        .into(new ArrayList<>());
  }

  @Test
  void aCollectionGetsAnotherKey() {
    String namespace = prepare();
    BsonDocument before = metadata(namespace);
    CLUSTER.admin(
        "{reshardCollection: '%s', key: {x: 1}, numInitialChunks: 10}".formatted(namespace));
    BsonDocument after = metadata(namespace);
    assertThat(after.getDocument("key").toJson()).isEqualTo("{\"x\": 1}");
    assertThat(after.get("uuid")).isNotEqualTo(before.get("uuid"));
    assertThat(after.get("lastmodEpoch")).isNotEqualTo(before.get("lastmodEpoch"));
    assertThat(chunks(namespace)).hasSize(10);
    assertThat(CLUSTER.metadata("chunks").countDocuments(Filters.eq("uuid", before.get("uuid"))))
        .isZero();
    for (int i = 0; i < 2; i++) {
      assertThat(
              CLUSTER
                  .onShard(i, namespace.substring(0, namespace.indexOf('.')))
                  .getCollection("c")
                  .countDocuments())
          .isBetween(DOCUMENTS / 4L, DOCUMENTS * 3L / 4);
    }
    assertThat(
            CLUSTER
                .collection(namespace)
                .listIndexes()
                .map(index -> index.getString("name"))
                .into(new ArrayList<>()))
        .contains("_id_", "n_1", "x_1");
    assertWhole(namespace);
  }

  @Test
  void aHashedKeyAndBack() {
    String namespace = prepare();
    CLUSTER.admin("{reshardCollection: '%s', key: {x: 'hashed'}}".formatted(namespace));
    assertWhole(namespace);
    CLUSTER.admin("{reshardCollection: '%s', key: {k: 1, x: 1}}".formatted(namespace));
    assertWhole(namespace);
    CLUSTER.admin("{reshardCollection: '%s', key: {_id: 1}}".formatted(namespace));
    assertWhole(namespace);
  }

  @Test
  void theSameKeyIsNoChange() {
    String namespace = prepare();
    BsonDocument before = metadata(namespace);
    CLUSTER.admin("{reshardCollection: '%s', key: {k: 1}}".formatted(namespace));
    assertThat(metadata(namespace)).isEqualTo(before);
    CLUSTER.admin(
        "{reshardCollection: '%s', key: {k: 1}, forceRedistribution: true}".formatted(namespace));
    assertThat(metadata(namespace).get("uuid")).isNotEqualTo(before.get("uuid"));
    assertThat(CLUSTER.metadata("tags").countDocuments(Filters.eq("ns", namespace))).isEqualTo(2);
    assertWhole(namespace);
  }

  @Test
  void zonesSayWhereDocumentsGo() {
    String namespace = prepare();
    CLUSTER.admin(
        ("{reshardCollection: '%s', key: {x: 1}, zones: ["
                + "{min: {x: {$minKey: 1}}, max: {x: 100}, zone: 'zone1'},"
                + "{min: {x: 100}, max: {x: {$maxKey: 1}}, zone: 'zone0'}]}")
            .formatted(namespace));
    for (BsonDocument chunk : chunks(namespace)) {
      boolean low =
          chunk.getDocument("max").get("x").isInt32()
              && chunk.getDocument("max").getInt32("x").getValue() <= 100;
      assertThat(chunk.getString("shard").getValue()).isEqualTo(low ? "shard1" : "shard0");
    }
    assertThat(CLUSTER.metadata("tags").countDocuments(Filters.eq("ns", namespace))).isEqualTo(2);
    assertWhole(namespace);
  }

  @Test
  void anUnshardedCollectionIsOnThePrimary() {
    String namespace = prepare();
    CLUSTER.admin("{unshardCollection: '%s'}".formatted(namespace));
    assertThat(metadata(namespace)).isNull();
    assertThat(
            CLUSTER
                .onShard(0, namespace.substring(0, namespace.indexOf('.')))
                .getCollection("c")
                .countDocuments())
        .isEqualTo(DOCUMENTS);
    assertWhole(namespace);
    CLUSTER.collection(namespace).createIndex(new Document("x", 1));
    CLUSTER.admin("{shardCollection: '%s', key: {x: 1}}".formatted(namespace));
    CLUSTER.admin("{reshardCollection: '%s', key: {_id: 'hashed'}}".formatted(namespace));
    assertWhole(namespace);
  }

  @Test
  void duplicatesOfDifferentShardsEndIt() {
    String namespace = prepare();
    CLUSTER.collection(namespace).insertOne(new Document("_id", -1).append("k", -1).append("x", 5));
    CLUSTER.collection(namespace).insertOne(new Document("_id", -1).append("k", 1).append("x", 5));
    BsonDocument error =
        CLUSTER.fail("admin", "{reshardCollection: '%s', key: {x: 1}}".formatted(namespace));
    assertThat(error.getInt32("code").getValue()).isEqualTo(11000);
    assertThat(CLUSTER.collection(namespace).deleteMany(Filters.eq(-1)).getDeletedCount())
        .isEqualTo(2);
    assertWhole(namespace);
  }

  @Test
  void anUnshardedCollectionMovesToAnotherShardAndBack() {
    String namespace = prepare();
    String database = namespace.substring(0, namespace.indexOf('.'));
    CLUSTER.admin("{unshardCollection: '%s', toShard: 'shard1'}".formatted(namespace));
    assertThat(metadata(namespace).getBoolean("unsplittable").getValue()).isTrue();
    assertThat(CLUSTER.onShard(1, database).getCollection("c").countDocuments())
        .isEqualTo(DOCUMENTS);
    assertThat(CLUSTER.onShard(0, database).getCollection("c").countDocuments()).isZero();
    assertWhole(namespace);
    for (String refused :
        List.of(
            "{split: '%s', middle: {_id: 5}}",
            "{moveRange: '%s', min: {_id: 5}, toShard: 'shard0'}",
            "{refineCollectionShardKey: '%s', key: {_id: 1, k: 1}}",
            "{reshardCollection: '%s', key: {x: 1}}",
            "{unshardCollection: '%s'}")) {
      assertThat(CLUSTER.fail("admin", refused.formatted(namespace)).getInt32("code").getValue())
          .as(refused)
          .isEqualTo(118);
    }
    CLUSTER.admin("{moveCollection: '%s', toShard: 'shard0'}".formatted(namespace));
    assertThat(metadata(namespace)).isNull();
    assertWhole(namespace);
    CLUSTER.admin("{moveCollection: '%s', toShard: 'shard1'}".formatted(namespace));
    CLUSTER.admin("{moveCollection: '%s', toShard: 'shard1'}".formatted(namespace));
    assertWhole(namespace);
    CLUSTER.admin("{movePrimary: '%s', to: 'shard1'}".formatted(database));
    CLUSTER.admin("{moveCollection: '%s', toShard: 'shard1'}".formatted(namespace));
    assertThat(metadata(namespace)).isNull();
    assertWhole(namespace);
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    String namespace = prepare();
    CLUSTER.database("plain").getCollection("c").insertOne(new Document());
    record Case(String command, int code) {}
    for (Case each :
        List.of(
            new Case("{reshardCollection: 'plain.c', key: {x: 1}}", 118),
            new Case("{unshardCollection: 'plain.c'}", 118),
            new Case("{reshardCollection: '%s'}", 40414),
            new Case("{reshardCollection: '%s', key: {x: 1}, unique: true}", 2),
            new Case("{reshardCollection: '%s', key: {x: 1}, collation: {locale: 'fr'}}", 2),
            new Case("{reshardCollection: '%s', key: {x: 1}, numInitialChunks: 0}", 2),
            new Case("{reshardCollection: '%s', key: {x: 1}, presplit: true}", 40415),
            new Case(
                "{reshardCollection: '%s', key: {x: 1},"
                    + " zones: [{min: {x: 0}, max: {x: 9}, zone: 'none'}]}",
                177),
            new Case("{moveCollection: '%s', toShard: 'shard1'}", 26),
            new Case("{moveCollection: 'plain.c', toShard: 'none'}", 70),
            new Case("{moveCollection: 'plain.c'}", 40414),
            new Case("{reshardCollection: 'config.c', key: {x: 1}}", 20),
            new Case("{abortReshardCollection: '%s'}", 339),
            new Case("{abortUnshardCollection: '%s'}", 339),
            new Case("{abortMoveCollection: '%s'}", 339),
            new Case("{commitReshardCollection: '%s'}", 339))) {
      assertThat(
              CLUSTER.fail("admin", each.command.formatted(namespace)).getInt32("code").getValue())
          .as(each.command)
          .isEqualTo(each.code);
    }
    assertWhole(namespace);
  }

  /** Before the decision everything becomes as it was; after it there is no way back. */
  @Test
  void itCanBeAbortedUntilItIsDecided() {
    String namespace = prepare();
    BsonDocument before = metadata(namespace);
    String command = "{reshardCollection: '%s', key: {x: 1}}".formatted(namespace);
    for (String phase : List.of("createTemporary", "clone", "blockWrites")) {
      Runnable release = CLUSTER.hold("reshardCollection." + phase + ".after");
      CompletableFuture<BsonDocument> failure =
          CompletableFuture.supplyAsync(() -> CLUSTER.fail("admin", command));
      CLUSTER.awaitPhase("reshardCollection", phase);
      CLUSTER.await("the phase " + phase, () -> aborts(namespace));
      assertThat(failure.join().getInt32("code").getValue()).as(phase).isEqualTo(341);
      release.run();
      assertThat(metadata(namespace)).isEqualTo(before);
      assertWhole(namespace);
    }
    Runnable release = CLUSTER.hold("reshardCollection.commit.before");
    CompletableFuture<BsonDocument> done =
        CompletableFuture.supplyAsync(() -> CLUSTER.admin(command));
    CLUSTER.awaitPhase("reshardCollection", "commit");
    BsonDocument late =
        CLUSTER.fail("admin", "{abortReshardCollection: '%s'}".formatted(namespace));
    assertThat(late.getInt32("code").getValue()).isEqualTo(340);
    release.run();
    done.join();
    assertWhole(namespace);
  }

  private static boolean aborts(String namespace) {
    try {
      CLUSTER.admin("{abortReshardCollection: '%s'}".formatted(namespace));
      return true;
    } catch (MongoCommandException e) {
      return false;
    }
  }

  /** Streams see neither the copies nor the switch, and go on with what is written after it. */
  @Test
  void changeStreamsGoOn() {
    String namespace = prepare();
    MongoCollection<Document> collection = CLUSTER.collection(namespace);
    try (var ofCollection = collection.watch().cursor();
        var ofDatabase =
            CLUSTER.database(namespace.substring(0, namespace.indexOf('.'))).watch().cursor()) {
      collection.updateOne(Filters.eq(1), Updates.set("a", 1));
      CLUSTER.admin("{reshardCollection: '%s', key: {x: 1}}".formatted(namespace));
      collection.updateOne(Filters.eq(2), Updates.set("a", 1));
      for (var stream : List.of(ofCollection, ofDatabase)) {
        assertThat(stream.next().getDocumentKey().getInt32("_id").getValue()).isEqualTo(1);
        var after = stream.next();
        assertThat(after.getDocumentKey().getInt32("_id").getValue()).isEqualTo(2);
        assertThat(after.getDocumentKey()).containsKey("x").doesNotContainKey("k");
      }
    }
  }

  /** A retry that comes after it finds what its first attempt has done, on either shard. */
  @Test
  void retriesAreAnsweredByTheNewShards() {
    String namespace = prepare();
    String database = namespace.substring(0, namespace.indexOf('.'));
    var commands = new ArrayList<Document>();
    for (int i = 0; i < 10; i++) {
      Document session =
          new Document(
              "id",
              new Binary(
                  (byte) 4,
                  new byte[] {(byte) i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
      commands.add(
          Document.parse(
                  "{update: 'c', updates: [{q: {k: %d}, u: {$inc: {r: 1}}}], txnNumber: {$numberLong: '1'}}"
                      .formatted(i - 5))
              .append("lsid", session));
    }
    commands.forEach(
        command -> assertThat(CLUSTER.raw(database, command)).containsEntry("nModified", 1));
    CLUSTER.admin("{reshardCollection: '%s', key: {k: 'hashed'}}".formatted(namespace));
    for (Document command : commands) {
      Document again = CLUSTER.raw(database, command);
      assertThat(again.getList("retriedStmtIds", Integer.class))
          .as(again.toJson())
          .containsExactly(0);
    }
    assertThat(CLUSTER.collection(namespace).countDocuments(Filters.eq("r", 1))).isEqualTo(10);
    assertWhole(namespace);
  }

  @Test
  void cursorsThatWereOpenEnd() {
    String namespace = prepare();
    try (var cursor = CLUSTER.collection(namespace).find().batchSize(10).cursor()) {
      cursor.next();
      CLUSTER.admin("{reshardCollection: '%s', key: {x: 1}}".formatted(namespace));
      assertThatThrownBy(
              () -> {
                while (cursor.hasNext()) {
                  cursor.next();
                }
              })
          .isInstanceOfSatisfying(
              MongoException.class, error -> assertThat(error.getCode()).isEqualTo(175));
    }
  }

  /** Two documents of different shards exchange their places while they are copied. */
  @Test
  void aDocumentThatMovesBetweenDonorsIsThereOnce() {
    String namespace = prepare();
    MongoCollection<Document> collection = CLUSTER.collection(namespace);
    Runnable release = CLUSTER.hold("reshardCollection.clone.after");
    CompletableFuture<BsonDocument> done =
        CompletableFuture.supplyAsync(
            () -> CLUSTER.admin("{reshardCollection: '%s', key: {x: 1}}".formatted(namespace)));
    CLUSTER.awaitPhase("reshardCollection", "clone");
    for (int i = 0; i < DOCUMENTS; i++) {
      Document found = collection.find(Filters.eq(i)).first();
      collection.updateOne(
          Filters.and(Filters.eq(i), Filters.eq("k", found.get("k"))),
          Updates.set("k", -found.getInteger("k") - 1));
    }
    release.run();
    done.join();
    assertThat(
            collection
                .find()
                .sort(Sorts.ascending("_id"))
                .map(each -> each.getInteger("k"))
                .into(new ArrayList<>()))
        .isEqualTo(IntStream.range(0, DOCUMENTS).map(i -> DOCUMENTS / 2 - i - 1).boxed().toList());
    assertThat(collection.countDocuments()).isEqualTo(DOCUMENTS);
  }

  /** What another primary has done meanwhile is not in the copy of an earlier term. */
  @Test
  void aDonorThatLeadsAgainCopiesAnew() {
    String namespace = prepare();
    long before = copiesStarted();
    Runnable goOn = CLUSTER.hold("reshardCollection.blockWrites.before");
    CompletableFuture<Void> done =
        CompletableFuture.runAsync(
            () -> CLUSTER.admin("{reshardCollection: '%s', key: {x: 1}}".formatted(namespace)));
    CLUSTER.awaitPhase("reshardCollection", "blockWrites");
    CLUSTER.electShardAgain(0);
    goOn.run();
    done.join();
    assertThat(copiesStarted()).isEqualTo(before + 2);
    assertWhole(namespace);
  }

  private static long copiesStarted() {
    return CLUSTER
        .onShard(0, "admin")
        .runCommand(new Document("serverStatus", 1))
        .get("shardingStatistics", Document.class)
        .get("resharding", Document.class)
        .getLong("countStarted");
  }
}
