package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Chunks of one key that are too large to be moved. */
class JumboChunksTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final String TEXT = "x".repeat(10_000);
  private static final Bson JUMBO = Filters.eq("jumbo", true);

  private static long failed() {
    return CLUSTER
        .config("{serverStatus: 1}")
        .get("balancer", Document.class)
        .getLong("numMigrationsFailed");
  }

  private static void setting(String document) {
    Document parsed = Document.parse(document);
    CLUSTER
        .collection("config.settings")
        .updateOne(
            Filters.eq(parsed.get("_id")),
            new Document("$set", parsed),
            new UpdateOptions().upsert(true));
  }

  /** The key 0 is of four megabytes, and chunks of one. */
  private static void fill() {
    CLUSTER.config("{setParameter: 1, balancerMigrationsThrottlingMs: 0}");
    setting("{_id: 'autosplit', enabled: false}");
    CLUSTER.create("large", 0);
    CLUSTER.admin("{shardCollection: 'large.c', key: {k: 1}}");
    CLUSTER.admin("{configureCollectionBalancing: 'large.c', chunkSize: 1}");
    CLUSTER
        .collection("large.c")
        .insertMany(
            IntStream.range(0, 600)
                .mapToObj(
                    i ->
                        new Document("_id", i)
                            .append("k", Math.max(0, i - 400))
                            .append("text", TEXT))
                .toList());
  }

  private static String shardOf(BsonDocument chunk) {
    return chunk.getString("shard").getValue();
  }

  private static BsonDocument chunkOfZero() {
    return CLUSTER
        .metadata("chunks")
        .find(
            Filters.and(
                Filters.lte("min", new Document("k", 0)), Filters.gt("max", new Document("k", 0))))
        .sort(Document.parse("{min: -1}"))
        .first();
  }

  @Test
  void theBalancerMarksWhatItCannotMoveAndForcesItWhereItMust() {
    fill();
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await("the mark", () -> CLUSTER.metadata("chunks").countDocuments(JUMBO) == 1);
    CLUSTER.await("the end of the round", () -> failed() == 1);
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await(
        "balance of the rest",
        () -> CLUSTER.metadata("chunks").countDocuments(Filters.eq("shard", "shard1")) > 0);
    CLUSTER.admin("{balancerStop: 1}");
    BsonDocument marked = CLUSTER.metadata("chunks").find(JUMBO).first();
    assertThat(shardOf(marked)).isEqualTo("shard0");
    assertThat(marked.getDocument("max").getNumber("k").intValue()).isOne();
    assertThat(failed()).as("it is not tried again").isOne();

    CLUSTER.admin("{clearJumboFlag: 'large.c', find: {k: 0}}");
    assertThat(CLUSTER.metadata("chunks").countDocuments(JUMBO)).isZero();
    assertThat(
            CLUSTER
                .fail("admin", "{moveChunk: 'large.c', find: {k: 0}, to: 'shard1'}")
                .getInt32("code")
                .getValue())
        .isEqualTo(153);
    CLUSTER.admin("{moveChunk: 'large.c', find: {k: 0}, to: 'shard1', forceJumbo: true}");
    assertThat(shardOf(chunkOfZero())).isEqualTo("shard1");

    CLUSTER.admin("{removeShard: 'shard1'}");
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await(
        "the shard to be empty",
        () -> CLUSTER.metadata("chunks").countDocuments(Filters.eq("shard", "shard1")) == 0);
    assertThat(CLUSTER.collection("large.c").countDocuments()).isEqualTo(600);
  }
}
