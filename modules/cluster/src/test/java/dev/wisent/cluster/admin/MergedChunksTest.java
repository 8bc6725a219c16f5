package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MergedChunksTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static List<BsonDocument> chunks(String namespace) {
    BsonDocument collection = CLUSTER.metadata("collections").find(Filters.eq(namespace)).first();
    return CLUSTER
        .metadata("chunks")
        .find(Filters.eq("uuid", collection.get("uuid")))
        .sort(Sorts.ascending("min"))
        .into(new ArrayList<>());
  }

  private static String minima(String namespace) {
    return String.join(
        " ",
        chunks(namespace).stream()
            .map(each -> each.getDocument("min").get("k"))
            .map(key -> key.isInt32() ? Integer.toString(key.asInt32().getValue()) : "min")
            .toList());
  }

  private static void split(String namespace, int... keys) {
    for (int key : keys) {
      CLUSTER.admin("{split: '%s', middle: {k: %d}}".formatted(namespace, key));
    }
  }

  @Test
  void allNeighboursOfAShardAreMergedWhenTheyHaveBeenThereForLong() {
    String name = "merge.all";
    CLUSTER.create("merge", 0);
    CLUSTER.shardByK(name);
    split(name, -20, -10, 10, 20, 30);
    CLUSTER.collection(name).insertMany(AdminCluster.documents(100));
    String merge = "{mergeAllChunksOnShard: '" + name + "', shard: 'shard1'%s}";
    CLUSTER.admin(merge.formatted(""));
    assertThat(minima(name))
        .as("readers may ask for earlier places")
        .isEqualTo("min -20 -10 0 10 20 30");
    CLUSTER.config("{setParameter: 1, minSnapshotHistoryWindowInSeconds: 0}");
    try {
      CLUSTER.await(
          "time",
          () -> {
            CLUSTER.admin(merge.formatted(", maxNumberOfChunksToMerge: 2"));
            return minima(name).equals("min -20 -10 0 20 30");
          });
      CLUSTER.admin(merge.formatted(""));
      assertThat(minima(name)).isEqualTo("min -20 -10 0");
      assertThat(
              CLUSTER.collection(name).countDocuments(new Document("k", new Document("$gte", 0))))
          .isEqualTo(50);
      BsonDocument merged = chunks(name).getLast();
      assertThat(merged.getArray("history")).hasSize(1);
      assertThat(merged.get("onCurrentShardSince"))
          .isEqualTo(merged.getArray("history").getFirst().asDocument().get("validAfter"));
      assertThat(CLUSTER.metadata("changelog").countDocuments(Filters.eq("what", "autoMerge")))
          .isPositive();
    } finally {
      CLUSTER.config("{setParameter: 1, minSnapshotHistoryWindowInSeconds: 300}");
    }
  }

  /** More than one transaction may change. */
  @Test
  void veryManyNeighboursBecomeOneChunk() {
    String name = "merge.many";
    CLUSTER.create("merge", 0);
    CLUSTER.admin(
        "{shardCollection: '%s', key: {k: 'hashed'}, numInitialChunks: 2600}".formatted(name));
    CLUSTER.config("{setParameter: 1, minSnapshotHistoryWindowInSeconds: 0}");
    try {
      CLUSTER.await(
          "time",
          () -> {
            CLUSTER.admin(
                "{mergeAllChunksOnShard: '%s', shard: 'shard0', maxNumberOfChunksToMerge: 701}"
                    .formatted(name));
            return chunks(name).size() == 1_900;
          });
      CLUSTER.admin("{mergeAllChunksOnShard: '%s', shard: 'shard0'}".formatted(name));
      assertThat(chunks(name)).hasSize(1_301);
      CLUSTER.admin("{mergeAllChunksOnShard: '%s', shard: 'shard1'}".formatted(name));
      assertThat(chunks(name)).hasSize(2);
    } finally {
      CLUSTER.config("{setParameter: 1, minSnapshotHistoryWindowInSeconds: 300}");
    }
  }

  /**
   * A migration elsewhere has raised the version of the collection, and the shard does not know.
   */
  @Test
  void aMergedChunkHasAVersionThatItsShardKnows() {
    String name = "mergeversion.c";
    CLUSTER.create("mergeversion", 0);
    CLUSTER.shardByK(name);
    split(name, 10);
    BsonDocument other = chunks(name).getFirst();
    CLUSTER
        .metadata("chunks")
        .updateOne(Filters.eq(other.get("_id")), Updates.set("lastmod", new BsonTimestamp(5, 0)));
    CLUSTER.config("{setParameter: 1, minSnapshotHistoryWindowInSeconds: 0}");
    try {
      CLUSTER.await(
          "time",
          () -> {
            CLUSTER.admin("{mergeAllChunksOnShard: '" + name + "', shard: 'shard1'}");
            return minima(name).equals("min 0");
          });
    } finally {
      CLUSTER.config("{setParameter: 1, minSnapshotHistoryWindowInSeconds: 300}");
    }
    assertThat(chunks(name).getLast().getTimestamp("lastmod").getTime()).isOne();
  }

  @Test
  void mistakesAreRefused() {
    assertThat(code("{mergeAllChunksOnShard: 'merge.none', shard: 'shard0'}")).isEqualTo(118);
    assertThat(code("{mergeAllChunksOnShard: 'merge.none', shard: 'nowhere'}")).isEqualTo(70);
    assertThat(code("{mergeAllChunksOnShard: 'merge.none'}")).isEqualTo(40414);
    assertThat(code("{mergeAllChunksOnShard: 'm.n', shard: 'shard0', maxNumberOfChunksToMerge: 1}"))
        .isEqualTo(2);
  }

  private static int code(String command) {
    return CLUSTER.fail("admin", command).getInt32("code").getValue();
  }
}
