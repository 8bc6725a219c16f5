package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Small chunks that are brought together and merged. */
class DefragmentationTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final String NAME = "fragments.c";
  private static final String TEXT = "x".repeat(5_000);

  private static BsonDocument document() {
    return CLUSTER.metadata("collections").find(Filters.eq(NAME)).first();
  }

  private static long chunks() {
    return CLUSTER.metadata("chunks").countDocuments(Filters.eq("uuid", document().get("uuid")));
  }

  private static void defragment(boolean asked) {
    CLUSTER.admin(
        "{configureCollectionBalancing: '%s', defragmentCollection: %s}".formatted(NAME, asked));
  }

  private static BsonDocument status() {
    return CLUSTER.admin("{balancerCollectionStatus: '" + NAME + "'}");
  }

  /** Twenty chunks of fifty kilobytes, in turns on both shards; five would be enough. */
  private static void fill() {
    CLUSTER
        .collection("config.settings")
        .insertOne(Document.parse("{_id: 'autosplit', enabled: false}"));
    CLUSTER.create("fragments", 0);
    CLUSTER.admin("{shardCollection: '%s', key: {k: 1}}".formatted(NAME));
    CLUSTER.admin("{configureCollectionBalancing: '%s', chunkSize: 1}".formatted(NAME));
    for (int i = 10; i < 200; i += 10) {
      CLUSTER.admin("{split: '%s', middle: {k: %d}}".formatted(NAME, i));
    }
    for (int i = 10; i < 200; i += 20) {
      CLUSTER.admin("{moveChunk: '%s', find: {k: %d}, to: 'shard1'}".formatted(NAME, i));
    }
    CLUSTER
        .collection(NAME)
        .insertMany(
            IntStream.range(0, 200)
                .mapToObj(i -> new Document("_id", i).append("k", i).append("text", TEXT))
                .toList());
  }

  @Test
  void smallChunksAreMovedToTheirNeighboursAndMerged() {
    fill();
    long before = chunks();
    assertThat(before).isEqualTo(20);
    defragment(true);
    assertThat(document().getBoolean("defragmentCollection").getValue()).isTrue();
    BsonDocument waiting = status();
    assertThat(waiting.getBoolean("balancerCompliant").getValue()).isFalse();
    assertThat(waiting.getString("firstComplianceViolation").getValue())
        .isEqualTo("defragmentingChunks");
    assertThat(waiting.getDocument("details").getString("currentPhase").getValue())
        .isEqualTo("mergeAndMeasureChunks");
    assertThat(waiting.getDocument("details")).containsKey("progress");
    defragment(false);
    assertThat(document()).doesNotContainKeys("defragmentCollection", "defragmentationPhase");
    assertThat(status().getBoolean("balancerCompliant").getValue()).isTrue();

    CLUSTER.config("{setParameter: 1, minSnapshotHistoryWindowInSeconds: 0}");
    CLUSTER.config("{setParameter: 1, balancerMigrationsThrottlingMs: 0}");
    defragment(true);
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await(
        "the end",
        () -> {
          assertThat(CLUSTER.collection(NAME).countDocuments()).isEqualTo(200);
          return !document().containsKey("defragmentCollection");
        });
    CLUSTER.admin("{balancerStop: 1}");
    assertThat(document()).doesNotContainKey("defragmentationPhase");
    assertThat(chunks()).isLessThanOrEqualTo(before / 2);
    assertThat(
            CLUSTER
                .metadata("changelog")
                .distinct(
                    "details.phase", Filters.eq("what", "defragmentCollection"), String.class))
        .containsExactlyInAnyOrder("moveAndMergeChunks", "mergeChunks", "finished");
    assertThat(CLUSTER.collection(NAME).countDocuments(Filters.gte("k", 100))).isEqualTo(100);
  }

  /** Of one run more neighbours than one transaction changes. */
  @Test
  void veryManyNeighboursAreMergedToTheEnd() {
    String name = "many.c";
    CLUSTER.create("many", 0);
    CLUSTER.admin(
        "{shardCollection: '%s', key: {k: 'hashed'}, numInitialChunks: 1300}".formatted(name));
    CLUSTER.config("{setParameter: 1, minSnapshotHistoryWindowInSeconds: 0}");
    CLUSTER.config("{setParameter: 1, balancerMigrationsThrottlingMs: 0}");
    CLUSTER.admin(
        "{configureCollectionBalancing: '%s', defragmentCollection: true}".formatted(name));
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await(
        "the end",
        () ->
            !CLUSTER
                .metadata("collections")
                .find(Filters.eq(name))
                .first()
                .containsKey("defragmentCollection"));
    CLUSTER.admin("{balancerStop: 1}");
    BsonDocument collection = CLUSTER.metadata("collections").find(Filters.eq(name)).first();
    assertThat(
            CLUSTER.metadata("chunks").countDocuments(Filters.eq("uuid", collection.get("uuid"))))
        .isLessThanOrEqualTo(2);
  }
}
