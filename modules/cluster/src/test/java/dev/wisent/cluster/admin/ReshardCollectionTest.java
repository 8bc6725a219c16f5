package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
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
}
