package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import dev.wisent.cluster.embedded.EmbeddedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ranges move between three shards and more while clients write and read. */
class MigrationLoadTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster(4);

  private static final int SEED = Integer.getInteger("wisent.seed", 42);
  private static final String REST = "min: {k: 1000}, max: {k: {$maxKey: 1}}";

  /** What a chunk that has just changed, or a shard that is at work, refuses. */
  private static final Set<Integer> REFUSED = Set.of(117, 20, 72, 96, 125, 153);

  /** Clients come through a router that hears of moves from shards only. */
  @Test
  void rangesMoveUnderALoad() {
    run("short", 3, 15, 5);
  }

  @Test
  @Tag("faults")
  void rangesMoveUnderAMixedLoadForLong() {
    run("long", 3, Integer.getInteger("wisent.moves", 300), 10);
  }

  private static void run(String database, int shards, int moves, int rounds) {
    String namespace = prepare(database);
    EmbeddedNode other = otherRouter(database);
    try (other;
        MongoClient client = MongoClients.create("mongodb://" + other.address() + "/");
        var load = new MigrationLoad(client, client, namespace, ReadPreference.primary())) {
      load.insertFixed();
      load.start(SEED);
      var random = new Random(SEED + 2);
      for (int moved = 0; moved < moves || !load.hasDone(rounds); moved++) {
        int low = random.nextInt(4) * 100;
        String range =
            random.nextInt(4) == 0 ? REST : "min: {k: %d}, max: {k: %d}".formatted(low, low + 100);
        CLUSTER.admin(
            "{moveRange: '%s', %s, toShard: 'shard%d'}"
                .formatted(namespace, range, random.nextInt(shards)));
      }
      load.finish();
    }
    assertSettled(database);
  }

  private static String prepare(String database) {
    CLUSTER.create(database, 0);
    CLUSTER.admin("{shardCollection: '%s.c', key: {k: 1}}".formatted(database));
    return database + ".c";
  }

  private static EmbeddedNode otherRouter(String name) {
    return CLUSTER
        .cluster()
        .newRouter(CLUSTER.directory().resolve("router-" + name), options -> {});
  }

  private static void assertSettled(String database) {
    assertThat(
            CLUSTER
                .run(database, "{checkMetadataConsistency: 1}")
                .getDocument("cursor")
                .getArray("firstBatch"))
        .isEmpty();
    assertThat(CLUSTER.metadata("migrations").countDocuments()).isZero();
  }

  /** Two pairs of shards move ranges at the same time, while chunks are split and merged. */
  @Test
  @Tag("faults")
  void pairsOfShardsMoveRangesWhileChunksAreSplitAndMerged() {
    String namespace = prepare("pairs");
    CLUSTER.admin("{moveRange: '%s', min: {k: 200}, toShard: 'shard2'}".formatted(namespace));
    EmbeddedNode other = otherRouter("pairs");
    var moved = List.of(new AtomicInteger(), new AtomicInteger());
    try (other;
        MongoClient client = MongoClients.create("mongodb://" + other.address() + "/");
        var load = new MigrationLoad(client, client, namespace, ReadPreference.primary())) {
      load.insertFixed();
      load.start(SEED);
      for (int pair = 0; pair < 2; pair++) {
        var random = new Random(SEED + 10 + pair);
        int first = 2 * pair;
        AtomicInteger count = moved.get(pair);
        load.task(() -> movePart(namespace, first, random, count));
      }
      var random = new Random(SEED + 20);
      load.task(() -> splitOrMerge(namespace, random));
      int moves = Integer.getInteger("wisent.moves", 300) / 10;
      CLUSTER.await(
          "moves of both pairs",
          600,
          () -> load.hasDone(5) && moved.stream().allMatch(count -> count.get() >= moves));
      load.finish();
    }
    assertSettled("pairs");
  }

  /** Shards 0 and 1 have keys below 200, shards 2 and 3 the others. */
  private static void movePart(String namespace, int first, Random random, AtomicInteger moved) {
    int low = first * 100 + random.nextInt(20) * 10;
    String range = "min: {k: %d}, max: {k: %d}".formatted(low, low + 10);
    if (first > 0 && random.nextInt(4) == 0) {
      range = REST;
    }
    int to = first + random.nextInt(2);
    if (tried("{moveRange: '%s', %s, toShard: 'shard%d'}".formatted(namespace, range, to))) {
      moved.incrementAndGet();
    }
  }

  private static void splitOrMerge(String namespace, Random random) {
    if (random.nextBoolean()) {
      tried("{split: '%s', middle: {k: %d}}".formatted(namespace, 1 + random.nextInt(1200)));
      return;
    }
    BsonDocument collection = CLUSTER.metadata("collections").find(Filters.eq(namespace)).first();
    List<BsonDocument> chunks =
        CLUSTER
            .metadata("chunks")
            .find(Filters.eq("uuid", collection.get("uuid")))
            .sort(new BsonDocument("min", new org.bson.BsonInt32(1)))
            .into(new ArrayList<>());
    int at = random.nextInt(chunks.size() - 1);
    String min = chunks.get(at).getDocument("min").toJson();
    String max = chunks.get(at + 1).getDocument("max").toJson();
    tried("{mergeChunks: '%s', bounds: [%s, %s]}".formatted(namespace, min, max));
  }

  /** False where the state of the chunks at that moment forbids it. */
  private static boolean tried(String command) {
    try {
      CLUSTER.admin(command);
      return true;
    } catch (MongoCommandException e) {
      assertThat(REFUSED).as(command + " " + e.getMessage()).contains(e.getErrorCode());
      return false;
    }
  }
}
