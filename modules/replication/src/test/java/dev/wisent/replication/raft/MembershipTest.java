package dev.wisent.replication.raft;

import static dev.wisent.replication.raft.TestCluster.LONG;
import static dev.wisent.replication.raft.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.replication.SyncReport;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.LeadershipException.Kind;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.MutationBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Who votes and who leads. */
@Execution(ExecutionMode.CONCURRENT)
class MembershipTest {
  @TempDir Path directory;

  @Test
  void dataFromBeforeTheLogReachesNewNodes() {
    try (var cluster = new TestCluster(directory, TestCluster.STEADY)) {
      TestNode first = cluster.start("n1");
      first.engine.apply(
          List.of(
              new MutationBuilder()
                  .put(Keyspace.RECORDS, TestNode.bytes("old"), TestNode.bytes("1"))
                  .build()
                  .batch()),
          LogPosition.START);
      first.raft.begin(cluster.group, first.peer());
      await("it leads", first::isReady);
      TestNode second = cluster.join("n2");
      first.raft.setPeers(cluster.peers(), LONG);
      await("the second has a checkpoint", () -> second.applier.installed.get() > 0);
      await("the second has it", () -> "1".equals(second.get("old")));
      SyncReport report =
          await(
              "it has said so",
              () -> second.raft.sync().filter(each -> !each.isUnderWay()).orElse(null));
      assertThat(report.copiedBytes()).isPositive().isEqualTo(report.totalBytes());
      assertThat(report.attempts().getLast().status()).isEqualTo("OK");
      assertThat(report.attempts().getLast().sourceId()).isEqualTo("n1");
      assertThat(first.raft.sync()).as("it had all of it").isEmpty();
    }
  }

  @Test
  void aNodeThatHadAnotherLogTakesOverEverything() {
    try (var cluster = new TestCluster(directory, TestCluster.STEADY)) {
      TestNode first = cluster.start("n1");
      first.raft.begin(cluster.group, first.peer());
      await("the first leads", first::isReady);
      TestNode second = cluster.start("n2");
      second.raft.begin(UUID.randomUUID(), second.peer());
      await("the second leads another", second::isReady);
      second.put("other", "1").awaitApplied();
      second.raft.leave();
      await("it leads no more", () -> !second.isReady());
      second.raft.join(cluster.group, second.peer(), cluster.secret());
      first.put("a", "1").awaitApplied();
      first.raft.setPeers(cluster.peers(), LONG);
      await("it has a checkpoint", () -> second.applier.installed.get() > 0);
      await("it has what the first has", () -> "1".equals(second.get("a")));
      assertThat(second.get("other")).isNull();
    }
  }

  @Test
  void nodesAreAddedAndRemoved() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      leader.put("a", "1").awaitApplied();
      TestNode fourth = cluster.join("n4");
      leader.raft.setPeers(cluster.peers(), LONG);
      assertThat(leader.raft.peers()).hasSize(4);
      await("the new one has a checkpoint", () -> fourth.applier.installed.get() > 0);
      await("the new one has everything", () -> "1".equals(fourth.get("a")));

      TestNode removed = cluster.follower();
      List<Peer> rest = new ArrayList<>(cluster.peers());
      rest.removeIf(peer -> peer.id().equals(removed.id));
      leader.raft.setPeers(rest, LONG);
      assertThat(leader.raft.peers()).hasSize(3);
      removed.raft.leave();
      cluster.stop(removed.id);
      leader.put("b", "1").awaitApplied();
      cluster.awaitEqual();
    }
  }

  @Test
  void aListenerGetsEverythingAndDoesNotVote() {
    try (TestCluster cluster = TestCluster.of(1, directory, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      TestNode listener = cluster.start("n2");
      var peer = new Peer("n2", listener.raft.address(), 0, Peer.Role.LISTENER);
      listener.raft.join(cluster.group, peer, cluster.secret());
      leader.raft.setPeers(List.of(leader.peer(), peer), LONG);
      leader.put("a", "1").awaitApplied();
      await("the listener has a checkpoint", () -> listener.applier.installed.get() > 0);
      await("the listener has it", () -> "1".equals(listener.get("a")));
      cluster.stop("n2");
      leader.put("b", "1").awaitApplied();
      TestNode again = cluster.start("n2");
      await("it catches up", () -> "1".equals(again.get("b")));
      leader.raft.setPeers(List.of(leader.peer(), again.peer()), LONG);
      leader.put("c", "1").awaitApplied();
      await("as a voter, too", () -> "1".equals(again.get("c")));
      leader.raft.setPeers(List.of(leader.peer(), peer), LONG);
      leader.put("d", "1").awaitApplied();
      await("and as a listener again", () -> "1".equals(again.get("d")));
    }
  }

  @Test
  void aNodeThatIsInNoConfigurationWaitsToBeTakenUp() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      TestNode outsider = cluster.follower();
      outsider.raft.forcePeers(List.of(leader.peer()));
      await("it hears the leader", () -> leader.id.equals(outsider.raft.leadership().leaderId()));
      LogTarget running = outsider.raft.target();
      // The leader last: no peer is left then to make it forget the leader by standing for
      // election.
      List<String> others =
          cluster.peers().stream()
              .map(Peer::id)
              .filter(id -> !id.equals(outsider.id))
              .sorted(Comparator.comparing(leader.id::equals))
              .toList();
      others.forEach(cluster::stop);
      await("it misses the leader", () -> outsider.raft.leadership().leaderId() == null);

      others.forEach(cluster::start);
      cluster.leader().put("a", "1").awaitApplied();
      await("it has what the others have", () -> "1".equals(outsider.get("a")));
      assertThat(outsider.raft.target()).as("it did not close itself").isSameAs(running);
    }
  }

  @Test
  void aConfigurationThatComesWhileAnotherIsForcedOnANodeDoesNotKeepItFromStarting()
      throws IOException {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      TestNode forced = cluster.follower();
      leader.put("a", "1").awaitApplied();
      await("it has the first", () -> "1".equals(forced.get("a")));
      var peers = new ForcedPeers((RatisSession) forced.raft.target());
      leader.raft.setPeers(
          cluster.nodes().stream().map(node -> node.peer(node == leader ? 2 : 1)).toList(), LONG);
      leader.put("b", "1").awaitApplied();
      await("it has what came after", () -> "1".equals(forced.get("b")));
      cluster.stop(forced.id);
      peers.write(List.of(leader.peer()));

      TestNode again = cluster.start(forced.id);
      assertThat(again.raft.peers()).extracting(Peer::id).containsExactly(leader.id);
    }
  }

  @Test
  void leadershipIsTransferred() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode old = cluster.leader();
      TestNode next = cluster.follower();
      old.raft.transferTo(next.id, LONG);
      await("the other one leads", next::isReady);
      await("the first knows", () -> !old.isReady());
      next.put("a", "1").awaitApplied();
      await("it was told", () -> !old.changes.getLast().ready());
    }
  }

  @Test
  void aNodeWithAHigherPriorityTakesOver() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode old = cluster.leader();
      TestNode preferred = cluster.follower();
      List<Peer> peers =
          cluster.nodes().stream().map(node -> node.peer(node == preferred ? 5 : 1)).toList();
      old.raft.setPeers(peers, LONG);
      await("the preferred one leads", preferred::isReady);
      preferred.put("a", "1").awaitApplied();
    }
  }

  /** Ratis waits for a pause of the writers to hand over leadership. */
  @Test
  void aNodeWithAHigherPriorityTakesOverUnderLoad() throws InterruptedException {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode old = cluster.leader();
      TestNode preferred = cluster.follower();
      Thread writer = Thread.ofPlatform().start(() -> writeWhileItLeads(old));
      List<Peer> peers =
          cluster.nodes().stream().map(node -> node.peer(node == preferred ? 5 : 1)).toList();
      old.raft.setPeers(peers, LONG);
      await("the preferred one leads", preferred::isReady);
      writer.join();
      cluster.awaitEqual();
    }
  }

  private static void writeWhileItLeads(TestNode node) {
    try {
      for (int i = 0; ; i++) {
        node.put("k" + i % 100, "v").awaitApplied();
      }
    } catch (LeadershipException e) {
      assertThat(e.kind()).isIn(Kind.NOT_LEADER, Kind.LEADERSHIP_LOST);
    }
  }

  /** It leads only to bring what it has to the others. */
  @Test
  void aNodeWithPriorityZeroIsNeverReady() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      TestNode arbiter = cluster.follower();
      List<Peer> peers =
          cluster.nodes().stream()
              .map(node -> node.peer(node == arbiter ? 0 : node == leader ? 2 : 1))
              .toList();
      leader.raft.setPeers(peers, LONG);
      leader.put("a", "1").awaitApplied();
      cluster.stop(leader.id);
      TestNode next = cluster.leader();
      assertThat(next).isNotSameAs(arbiter);
      next.put("b", "1").awaitApplied();
      assertThat(arbiter.changes).noneMatch(Leadership::ready);
    }
  }

  @Test
  void aNodeThatSteppedDownStandsBack() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode old = cluster.leader();
      old.raft.stepDown(Duration.ofMinutes(10));
      await("it does not lead", () -> !old.isReady());
      TestNode next = cluster.leader();
      assertThat(next).isNotSameAs(old);
      next.put("a", "1").awaitApplied();
      cluster.awaitEqual();
    }
  }

  @Test
  void aLoneNodeLeadsAgainWhenItIsNotFrozenAnyMore() {
    try (TestCluster cluster = TestCluster.of(1, directory, UnaryOperator.identity())) {
      TestNode node = cluster.leader();
      node.raft.stepDown(Duration.ofMinutes(10));
      await("it does not lead", () -> !node.isReady());
      await("it knows that nobody leads", () -> node.raft.leadership().leaderId() == null);
      node.raft.freeze(Duration.ZERO);
      await("it leads again", node::isReady);
      node.put("a", "1").awaitApplied();
    }
  }

  @Test
  void aLoneSurvivorCanBeMadeToLead() {
    try (TestCluster cluster = TestCluster.of(3, directory, UnaryOperator.identity())) {
      cluster.leader().put("a", "1").awaitApplied();
      cluster.awaitEqual();
      cluster.stop("n1");
      cluster.stop("n2");
      TestNode survivor = cluster.node("n3");
      await("nobody leads", () -> survivor.raft.leadership().leaderId() == null);
      survivor.raft.forcePeers(List.of(survivor.peer()));
      await("it leads", survivor::isReady);
      assertThat(survivor.get("a")).isEqualTo("1");
      survivor.put("b", "1").awaitApplied();
      assertThat(survivor.raft.peers()).hasSize(1);
      cluster.stop("n3");
      TestNode again = cluster.start("n3");
      await("also after a restart", again::isReady);
      assertThat(again.get("b")).isEqualTo("1");
      assertThat(again.raft.peers()).hasSize(1);
    }
  }

  @Test
  void aPeerThatWasAddedCountsOnAllNodes() {
    try (TestCluster cluster = TestCluster.of(2, directory, TestCluster.STEADY)) {
      for (TestNode node : cluster.nodes()) {
        await(
            "both count on " + node.id,
            () ->
                node.raft.agreedPeers().equals(new AgreedPeers(node.raft.peers(), false))
                    && node.raft.agreedPeers().peers().size() == 2);
      }
    }
  }
}
