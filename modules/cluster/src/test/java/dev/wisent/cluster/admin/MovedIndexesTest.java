package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Indexes of a collection with a collation are the same on the shard that data moves to. */
class MovedIndexesTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final String COLLATED = "{create: 'c', collation: {locale: 'en', strength: 2}}";
  private static final String INDEXES =
      "{createIndexes: 'c', indexes: ["
          + "{key: {k: 1}, name: 'k_1', collation: {locale: 'simple'}},"
          + "{key: {n: 1}, name: 'own'},"
          + "{key: {n: 1}, name: 'simple', collation: {locale: 'simple'}},"
          + "{key: {t: 'text'}, name: 'text', collation: {locale: 'simple'}}]}";

  private static void prepare(String database) {
    CLUSTER.create(database, 0);
    CLUSTER.run(database, COLLATED);
    CLUSTER.run(database, INDEXES);
    CLUSTER.collection(database + ".c").insertOne(new Document("_id", 1).append("k", 5));
  }

  private static List<Document> indexes(int shard, String database) {
    List<Document> indexes =
        CLUSTER.onShard(shard, database).getCollection("c").listIndexes().into(new ArrayList<>());
    indexes.sort(Comparator.comparing(index -> index.getString("name")));
    return indexes;
  }

  @Test
  void aMigrationKeepsTheirCollations() {
    prepare("migrated");
    CLUSTER.admin("{shardCollection: 'migrated.c', key: {k: 1}, collation: {locale: 'simple'}}");
    CLUSTER.admin("{moveRange: 'migrated.c', min: {k: 0}, max: {k: 10}, toShard: 'shard1'}");
    assertThat(indexes(1, "migrated")).hasSize(5).isEqualTo(indexes(0, "migrated"));
    CLUSTER.admin("{moveRange: 'migrated.c', min: {k: 0}, max: {k: 10}, toShard: 'shard0'}");
    assertThat(CLUSTER.collection("migrated.c").countDocuments()).isOne();
  }

  @Test
  void aMoveOfTheDatabaseKeepsTheirCollations() {
    prepare("moved");
    List<Document> before = indexes(0, "moved");
    CLUSTER.admin("{movePrimary: 'moved', to: 'shard1'}");
    assertThat(indexes(1, "moved")).hasSize(5).isEqualTo(before);
  }
}
