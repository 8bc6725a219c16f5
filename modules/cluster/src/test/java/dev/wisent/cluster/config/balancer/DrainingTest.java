package dev.wisent.cluster.config.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.balance.ChunkMove;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases and unsharded collections that leave draining shards. */
class DrainingTest {
  @TempDir Path directory;
  private BalancerCluster cluster;

  @BeforeEach
  void open() {
    cluster = new BalancerCluster(directory, 5);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void endRound() {
    cluster.await(
        "the end of the round",
        () -> {
          cluster.advance(BalancerRound.WAIT_MAX);
          return !cluster.balancer.isInRound();
        });
  }

  private void drain(String shard) {
    cluster.change("shards", shard, "{draining: true}");
  }

  @Test
  void anUnshardedCollectionLeaves() {
    cluster.unsharded("db.moved", 0);
    drain("s0");
    cluster.start();
    cluster.runRounds();
    assertThat(cluster.owners("db.moved")).isNotEqualTo("s0");
    assertThat(cluster.balancer.figures().collectionsMoved.get()).isOne();
  }

  /** It waits for a long build of an index, or its shard is down. */
  @Test
  void anUnshardedCollectionThatDoesNotLeaveHoldsUpItsShardsOnly() {
    cluster.unsharded("db.moved", 0);
    drain("s0");
    cluster.moves.holdDepartures = true;
    cluster.start();
    cluster.await("the move", () -> cluster.moves.collections.size() == 1);
    endRound();
    String taker = cluster.moves.collections.getFirst().replace("db.moved to ", "");
    cluster.moves.holdDepartures = false;

    cluster.collection("db.c", 4, 4, 4, 4, 4, 4, 4, 4, 4);
    drain("s3");
    cluster.put("databases", "{_id: 'other', primary: 's3'}");
    cluster.runRounds();
    assertThat(cluster.moves.collections).as("it is begun once").hasSize(1);
    assertThat(cluster.owners("db.c")).contains("s1").contains("s2");
    assertThat(cluster.moves.primaries).singleElement().asString().doesNotEndWith(taker);

    OperationContext impatient = cluster.operation();
    impatient.limitMillis(1);
    assertThatThrownBy(() -> cluster.balancer.join(impatient)).isInstanceOf(CommandException.class);
    cluster.moves.releaseAll();
    cluster.balancer.join(cluster.operation());
    cluster.runRound();
    assertThat(cluster.balancer.figures().collectionsMoved.get()).isPositive();
  }

  @Test
  void aMigrationOfOtherShardsThatDoesNotEndKeepsNoDatabase() {
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0, 0, 0, 0);
    for (int i = 2; i < 5; i++) {
      cluster.unreachable.add("s" + i);
    }
    cluster.moves.hold = true;
    cluster.start();
    cluster.await("a migration", () -> !cluster.moves.started.isEmpty());
    endRound();
    ChunkMove held = cluster.moves.started.getFirst();
    assertThat(List.of(held.from(), held.to())).containsExactly("s0", "s1");
    cluster.moves.hold = false;
    cluster.unreachable.clear();
    drain("s2");
    cluster.put("databases", "{_id: 'other', primary: 's2'}");
    cluster.runRounds();
    assertThat(cluster.find("databases", "{primary: 's2'}")).isEmpty();
    assertThat(cluster.moves.primaries)
        .singleElement()
        .asString()
        .doesNotEndWith("s0")
        .doesNotEndWith("s1");
  }

  /** A client, or the primary of before, has begun it. */
  @Test
  void whatIsBeingMovedIsNotBegunAgain() {
    cluster.unsharded("db.moved", 0);
    cluster.put("databases", "{_id: 'other', primary: 's1'}");
    cluster.put(
        "system.sharding_ddl_coordinators",
        "{_id: {namespace: 'db.moved', operationType: 'moveCollection'}}");
    cluster.put(
        "system.sharding_ddl_coordinators",
        "{_id: {namespace: 'other', operationType: 'movePrimary'}}");
    drain("s0");
    drain("s1");
    cluster.start();
    cluster.runRounds();
    assertThat(cluster.moves.collections).isEmpty();
    assertThat(cluster.moves.primaries).isEmpty();
  }

  @Test
  void aCollectionThatIsNotBalancedIsToldWhereItsShardDrains() {
    cluster.collection("db.no", 0, 1);
    cluster.change("collections", "db.no", "{noBalance: true}");
    cluster.collection("db.forbidden", 1, 0);
    cluster.change("collections", "db.forbidden", "{permitMigrations: false}");
    cluster.collection("db.elsewhere", 1, 2);
    cluster.change("collections", "db.elsewhere", "{noBalance: true}");
    cluster.start();
    cluster.runRound();
    assertThat(cluster.balancer.stalls()).isEmpty();
    drain("s0");
    cluster.runRounds();
    assertThat(cluster.moves.started).isEmpty();
    assertThat(cluster.balancer.figures().stalls.get()).isEqualTo(2);
    assertThat(cluster.balancer.stalls())
        .allSatisfy(stall -> assertThat(stall.message()).contains("s0"))
        .extracting(stall -> stall.namespace().full())
        .containsExactlyInAnyOrder("db.no", "db.forbidden");
  }
}
