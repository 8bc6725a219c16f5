package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A shard with more data than its {@code maxSize}; the other one has even more, and no limit. */
class FullShardTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static BsonDocument shard(int number) {
    return CLUSTER.metadata("shards").find(Filters.eq("shard" + number)).first();
  }

  private static void limit(int shard, String megabytes) {
    CLUSTER.admin(
        "{addShard: '%s'%s}".formatted(shard(shard).getString("host").getValue(), megabytes));
  }

  private static void fill(String namespace, int documents) {
    CLUSTER
        .collection(namespace)
        .insertMany(
            IntStream.range(0, documents)
                .mapToObj(
                    i -> new Document("_id", i).append("k", i).append("text", "x".repeat(10_000)))
                .toList());
  }

  @BeforeAll
  static void fill() {
    CLUSTER.create("large", 0);
    fill("large.c", 600);
    CLUSTER.create("full", 1);
    fill("full.c", 300);
    limit(1, ", maxSize: 1");
  }

  private static List<String> shardsOf(String name) {
    BsonDocument collection = CLUSTER.metadata("collections").find(Filters.eq(name)).first();
    return CLUSTER
        .metadata("chunks")
        .distinct("shard", Filters.eq("uuid", collection.get("uuid")), String.class)
        .into(new java.util.ArrayList<>());
  }

  @Test
  void addShardChangesTheLimitOfAShard() {
    limit(0, ", maxSize: 20000");
    assertThat(shard(0).getNumber("maxSize").longValue()).isEqualTo(20_000);
    limit(0, "");
    assertThat(shard(0).getNumber("maxSize").longValue()).isEqualTo(20_000);
    limit(0, ", maxSize: 30000");
    assertThat(shard(0).getNumber("maxSize").longValue()).isEqualTo(30_000);
    limit(0, ", maxSize: 0");
    assertThat(shard(0)).doesNotContainKey("maxSize").containsKeys("host", "state");
    assertThat(CLUSTER.metadata("changelog").countDocuments(Filters.eq("what", "addShard.maxSize")))
        .isEqualTo(4);
  }

  @Test
  void newDatabasesGoToAnotherShard() {
    CLUSTER.collection("fresh.c").insertOne(new Document("_id", 1));
    assertThat(CLUSTER.primaryOf("fresh")).isEqualTo("shard0");
  }

  @Test
  void theChunksOfACollectionThatIsShardedGoToOthers() {
    CLUSTER.create("spread", 0);
    CLUSTER.admin("{shardCollection: 'spread.c', key: {k: 'hashed'}, numInitialChunks: 6}");
    assertThat(shardsOf("spread.c")).containsExactly("shard0");
    CLUSTER.admin("{shardCollection: 'full.hashed', key: {k: 'hashed'}}");
    assertThat(shardsOf("full.hashed")).containsExactly("shard0");
    CLUSTER.admin("{addShardToZone: 'shard0', zone: 'both'}");
    CLUSTER.admin("{addShardToZone: 'shard1', zone: 'both'}");
    for (int i = 0; i < 40; i += 10) {
      CLUSTER.admin(
          "{updateZoneKeyRange: 'spread.zones', min: {k: %d}, max: {k: %d}, zone: 'both'}"
              .formatted(i, i + 10));
    }
    CLUSTER.admin("{shardCollection: 'spread.zones', key: {k: 1}}");
    assertThat(shardsOf("spread.zones")).containsExactly("shard0");
  }

  @Test
  void reshardingGivesItNothing() {
    CLUSTER.create("again", 0);
    CLUSTER.admin("{shardCollection: 'again.c', key: {k: 1}}");
    fill("again.c", 20);
    CLUSTER.admin("{reshardCollection: 'again.c', key: {k: 1, _id: 1}, numInitialChunks: 6}");
    assertThat(shardsOf("again.c")).containsExactly("shard0");
  }

  @Test
  void aShardThatIsNamedIsTaken() {
    CLUSTER.create("named", 1);
    CLUSTER.collection("named.c").insertOne(new Document("_id", 1));
    CLUSTER.create("goes", 0);
    CLUSTER.admin("{movePrimary: 'goes', to: 'shard1'}");
    assertThat(CLUSTER.primaryOf("goes")).isEqualTo("shard1");
  }

  @Test
  void nothingIsPlacedWhereAllAreFull() {
    limit(0, ", maxSize: 1");
    try {
      BsonDocument refused = CLUSTER.fail("admin", "{enableSharding: 'nowhere'}");
      assertThat(refused.getString("errmsg").getValue()).contains("maxSize");
      CLUSTER.create("stays", 0);
      CLUSTER.admin("{shardCollection: 'stays.c', key: {k: 'hashed'}}");
      assertThat(shardsOf("stays.c")).containsExactly("shard0");
    } finally {
      limit(0, ", maxSize: 0");
    }
  }
}
