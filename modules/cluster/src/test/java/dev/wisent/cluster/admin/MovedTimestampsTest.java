package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import org.bson.BsonTimestamp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A document that moves to another shard stays the same, also with a timestamp of zero. */
class MovedTimestampsTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static void insert(String database) {
    CLUSTER.run(
        database,
        "{insert: 'c', documents: [{_id: 1, k: 1, x: 1, t: {$timestamp: {t: 0, i: 0}}}],"
            + " bypassEmptyTsReplacement: true}");
    assertSame(database);
  }

  private static void assertSame(String database) {
    assertThat(CLUSTER.collection(database + ".c").find(Filters.eq("t", new BsonTimestamp(0))))
        .hasSize(1);
  }

  @Test
  void byAMigrationAndAResharding() {
    CLUSTER.create("moved", 0);
    CLUSTER.shardByK("moved.c");
    insert("moved");
    CLUSTER.admin("{moveRange: 'moved.c', min: {k: 0}, max: {k: 10}, toShard: 'shard1'}");
    assertSame("moved");
    CLUSTER.admin(
        "{reshardCollection: 'moved.c', key: {x: 1}, shardDistribution: [{shard: 'shard0', min: {x:"
            + " {$minKey: 1}}, max: {x: {$maxKey: 1}}}]}");
    assertSame("moved");
  }

  @Test
  void withAnUnshardedCollection() {
    CLUSTER.create("primary", 0);
    insert("primary");
    CLUSTER.admin("{movePrimary: 'primary', to: 'shard1'}");
    assertSame("primary");
  }
}
