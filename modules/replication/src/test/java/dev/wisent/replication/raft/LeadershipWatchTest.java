package dev.wisent.replication.raft;

import static dev.wisent.replication.raft.TestCluster.LONG;
import static dev.wisent.replication.raft.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A listener that cannot follow a change of leadership. */
class LeadershipWatchTest {
  @TempDir Path directory;

  @Test
  void aListenerThatFailsIsToldAgain() {
    try (TestCluster cluster = new TestCluster(directory, TestCluster.STEADY)) {
      TestNode node = cluster.start("n1");
      node.listenerFailures.set(3);
      node.raft.begin(cluster.group, node.peer());
      await("it leads", node::isReady);
      assertThat(node.listenerFailures).hasValue(0);
      node.put("a", "1").awaitApplied();
    }
  }

  /** There is no other node that could do better. */
  @Test
  void theOnlyNodeIsToldAsOftenAsItTakes() {
    try (TestCluster cluster = new TestCluster(directory, TestCluster.STEADY)) {
      TestNode node = cluster.start("n1");
      node.listenerFailures.set(15);
      node.raft.begin(cluster.group, node.peer());
      await("it leads", node::isReady);
      assertThat(node.raft.isFrozen()).isFalse();
      assertThat(node.raft.leadership().term()).isEqualTo(1);
    }
  }

  @Test
  void aNodeWhoseListenerGoesOnFailingTransfersLeadership() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode first = cluster.leader();
      TestNode failing = cluster.follower();
      failing.listenerFailures.set(Integer.MAX_VALUE);
      first.raft.transferTo(failing.id, LONG);
      TestNode next = await("another leads", () -> ready(cluster));
      assertThat(next).isNotSameAs(failing);
      next.put("a", "1").awaitApplied();
      failing.listenerFailures.set(0);
      cluster.awaitEqual();
    }
  }

  private static TestNode ready(TestCluster cluster) {
    return cluster.nodes().stream().filter(TestNode::isReady).findFirst().orElse(null);
  }
}
