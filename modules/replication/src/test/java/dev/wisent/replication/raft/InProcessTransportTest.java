package dev.wisent.replication.raft;

import static dev.wisent.replication.raft.TestCluster.LONG;
import static dev.wisent.replication.raft.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.storage.CommitFuture;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nodes of a replicated log that call each other directly. */
@Execution(ExecutionMode.CONCURRENT)
class InProcessTransportTest {
  private final InProcessPeers peers = new InProcessPeers("here");

  @TempDir Path directory;

  private TestCluster cluster(int count, UnaryOperator<RaftOptions> options) {
    return TestCluster.of(
        count, directory, base -> options.apply(base.withInProcess(Optional.of(peers))));
  }

  @Test
  void aLeaderThatIsClosedIsReplacedAndComesBack() {
    try (TestCluster cluster = cluster(3, TestCluster.STEADY)) {
      TestNode first = cluster.leader();
      first.put("a", "1").awaitApplied();
      long term = first.raft.leadership().term();
      cluster.stop(first.id);
      TestNode second = cluster.leader();
      assertThat(second.raft.leadership().term()).isGreaterThan(term);
      assertThat(second.get("a")).isEqualTo("1");
      second.put("b", "2").awaitApplied();
      TestNode again = cluster.start(first.id);
      await("the one that was away has it", () -> "2".equals(again.get("b")));
      cluster.awaitEqual();
    }
  }

  @Test
  void aFollowerThatIsClosedIsNotMissedAndCatchesUp() {
    try (TestCluster cluster = cluster(3, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      String away = cluster.follower().id;
      cluster.stop(away);
      for (int i = 0; i < 100; i++) {
        leader.put("k" + i, "v").awaitApplied();
      }
      assertThat(cluster.leader()).isSameAs(leader);
      TestNode again = cluster.start(away);
      cluster.awaitEqual();
      assertThat(again.get("k99")).isEqualTo("v");
    }
  }

  @Test
  void withoutAMajorityNothingIsCommittedUntilOneIsBack() {
    try (TestCluster cluster = cluster(3, options -> options)) {
      TestNode leader = cluster.leader();
      leader.put("a", "1").awaitApplied();
      List<String> others =
          cluster.nodes().stream().filter(node -> node != leader).map(node -> node.id).toList();
      cluster.stopAllBut(leader);
      await("it leads no more", () -> !leader.raft.leadership().ready());
      assertThat(leader.raft.inTouch()).containsExactly(leader.id);
      cluster.start(others.getFirst());
      TestNode next = cluster.leader();
      next.put("b", "2").awaitApplied();
      cluster.awaitEqual();
      assertThat(leader.get("b")).isEqualTo("2");
    }
  }

  @Test
  void leadershipIsHandedOverAndGivenUp() {
    try (TestCluster cluster = cluster(3, TestCluster.STEADY)) {
      TestNode first = cluster.leader();
      TestNode second = cluster.follower();
      first.raft.transferTo(second.id, LONG);
      await("the other leads", second::isReady);
      second.raft.stepDown(Duration.ofMinutes(5));
      await("a third leads", () -> cluster.leader() != second);
      cluster.leader().put("a", "1").awaitApplied();
      cluster.awaitEqual();
    }
  }

  @Test
  void aNodeThatMissesTheLogGetsACheckpoint() {
    try (TestCluster cluster =
        cluster(3, options -> TestCluster.STEADY.apply(options).withKeptLogBytes(4 << 20))) {
      TestNode leader = cluster.leader();
      TestNode away = cluster.follower();
      long last = away.applier.applied().index();
      cluster.stop(away.id);
      var log = ((RatisSession) leader.raft.target()).division().getRaftLog();
      await(
          "the log begins later",
          () -> {
            leader.put("large", "x".repeat(20 << 20)).awaitApplied();
            return log.getStartIndex() > last + 1;
          });
      leader.put("a", "1").awaitApplied();
      TestNode again = cluster.start(away.id);
      await("it has installed a checkpoint", () -> again.applier.installed.get() > 0);
      cluster.awaitEqual();
      assertThat(again.get("a")).isEqualTo("1");
      leader.put("b", "2").awaitApplied();
      cluster.awaitEqual();
      assertThat(again.get("b")).isEqualTo("2");
    }
  }

  @Test
  void aNodeThatIsRemovedIsNotWrittenTo() {
    try (TestCluster cluster = cluster(3, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      TestNode removed = cluster.follower();
      List<Peer> stay = cluster.peers().stream().filter(p -> !p.id().equals(removed.id)).toList();
      leader.raft.setPeers(stay, LONG);
      CommitFuture after = leader.put("after", "1");
      after.awaitApplied();
      assertThat(leader.raft.inTouch()).doesNotContain(removed.id);
      assertThat(removed.get("after")).isNull();
    }
  }

  @Test
  void noNetworkIsUsed() {
    try (TestCluster cluster = cluster(2, TestCluster.STEADY)) {
      for (Peer peer : cluster.peers()) {
        int port = Integer.parseInt(peer.address().substring(peer.address().lastIndexOf(':') + 1));
        assertThatThrownBy(() -> connect(port)).isInstanceOf(ConnectException.class);
      }
    }
  }

  private static void connect(int port) throws Exception {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port));
    }
  }

  @Test
  void aNodeThatIsNotThereIsRefused() {
    try (TestCluster cluster = cluster(1, TestCluster.STEADY)) {
      cluster.stop("n1");
      assertThatThrownBy(() -> peers.server(RaftPeerId.valueOf("n1")))
          .isInstanceOf(ConnectException.class);
    }
  }
}
