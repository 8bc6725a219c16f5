package dev.wisent.replication.raft;

import static dev.wisent.replication.raft.TestCluster.LONG;
import static dev.wisent.replication.raft.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A node with the highest priority that cannot lead, or is not to, keeps no other from leading. */
@Execution(ExecutionMode.CONCURRENT)
class PreferredNodeTest {
  private static final Duration FREEZE = Duration.ofMinutes(10);

  @TempDir Path directory;

  /** Ratis raises the term before it writes it: the leader steps down for a node that cannot. */
  @Test
  void whoCannotWriteItsVoteIsNotWaitedForWhenItIsHandedLeadership() throws Exception {
    try (TestCluster cluster = TestCluster.of(3, directory, UnaryOperator.identity())) {
      TestNode preferred = cluster.follower();
      long term = cluster.leader().raft.leadership().term();
      Path obstacle = obstructVote(cluster, preferred);
      prefer(cluster, preferred);
      TestNode leader = await("another leads", () -> leaderBesides(cluster, preferred, term));
      leader.put("a", "1").awaitApplied();
      assertMendedWithout(obstacle, preferred);
    }
  }

  @Test
  void whoCannotWriteItsVoteIsNotWaitedForWhenItStands() throws Exception {
    try (TestCluster cluster = TestCluster.of(3, directory, UnaryOperator.identity())) {
      TestNode first = cluster.leader();
      TestNode preferred = cluster.follower();
      long term = first.raft.leadership().term();
      preferred.raft.freeze(FREEZE);
      preferEverywhere(cluster, preferred);
      Path obstacle = obstructVote(cluster, preferred);
      others(cluster, first, preferred).getFirst().raft.freeze(FREEZE);
      first.raft.stepDown(FREEZE);
      preferred.raft.freeze(Duration.ZERO);
      await("the only one that stands cannot", () -> preferred.raft.fault().isPresent());
      cluster.nodes().forEach(node -> node.raft.freeze(Duration.ZERO));
      TestNode leader = await("another leads", () -> leaderBesides(cluster, preferred, term));
      leader.put("a", "1").awaitApplied();
      assertMendedWithout(obstacle, preferred);
    }
  }

  /** The other one needs the vote of the frozen one. */
  @Test
  void aFrozenNodeVotesForTheOthers() {
    try (TestCluster cluster = TestCluster.of(3, directory, UnaryOperator.identity())) {
      TestNode first = cluster.leader();
      TestNode preferred = cluster.follower();
      preferred.raft.freeze(FREEZE);
      checkFollows(cluster, first, preferred);
    }
  }

  @Test
  void aNodeWhoseStoreIsToStayAsItIsVotesForTheOthers() {
    try (TestCluster cluster = TestCluster.of(3, directory, UnaryOperator.identity())) {
      TestNode first = cluster.leader();
      TestNode preferred = cluster.follower();
      preferred.raft.hold(true);
      checkFollows(cluster, first, preferred);
      preferred.raft.hold(false);
    }
  }

  private static void checkFollows(TestCluster cluster, TestNode first, TestNode preferred) {
    preferEverywhere(cluster, preferred);
    TestNode last = others(cluster, first, preferred).getFirst();
    cluster.stop(first.id);
    await("the last one leads", last::isReady);
    last.put("a", "1").awaitApplied();
  }

  /** It could win every election for as long as it cannot apply the log. */
  @Test
  void aLeaderThatDoesNotApplyTheLogStandsBack() {
    try (TestCluster cluster = TestCluster.of(3, directory, UnaryOperator.identity())) {
      TestNode preferred = cluster.follower();
      preferred.applier.delayed = true;
      cluster.leader().put("a", "1").awaitApplied();
      prefer(cluster, preferred);
      await("it leads", () -> preferred.id.equals(preferred.raft.leadership().leaderId()));
      long term = preferred.raft.leadership().term();
      TestNode next =
          await(
              "another leads",
              () -> {
                // Step by step, for it may not have seen by now that it leads; but not past the
                // time for which it stands back then.
                if (preferred.aheadNanos.get() < TimeUnit.SECONDS.toNanos(20)) {
                  preferred.aheadNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
                }
                assertThat(preferred.isReady()).isFalse();
                return leaderBesides(cluster, preferred, term);
              });
      next.put("b", "1").awaitApplied();
      preferred.applier.delayed = false;
      await("it follows", () -> "1".equals(preferred.get("b")));
    }
  }

  private Path obstructVote(TestCluster cluster, TestNode node) throws IOException {
    Path log = directory.resolve(node.id).resolve("raft/log").resolve(cluster.group.toString());
    return Files.createDirectory(log.resolve("current/raft-meta.tmp"));
  }

  private static void assertMendedWithout(Path obstacle, TestNode node) throws IOException {
    String fault = await("it says so", () -> node.raft.fault().orElse(null));
    assertThat(fault).contains("cannot write its vote");
    assertThat(node.raft.peers()).as("its log has ended").isEmpty();
    Files.delete(obstacle);
    node.aheadNanos.addAndGet(TimeUnit.MINUTES.toNanos(1)); // or it would look later and later
    await("nothing is wrong any more", () -> node.raft.fault().isEmpty());
    await("it has caught up", () -> "1".equals(node.get("a")));
  }

  private static void prefer(TestCluster cluster, TestNode preferred) {
    List<Peer> peers =
        cluster.nodes().stream().map(node -> node.peer(node == preferred ? 5 : 1)).toList();
    cluster.leader().raft.setPeers(peers, LONG);
  }

  private static void preferEverywhere(TestCluster cluster, TestNode preferred) {
    prefer(cluster, preferred);
    await(
        "all have that in their logs",
        () ->
            cluster.nodes().stream()
                .allMatch(node -> node.raft.peers().contains(preferred.peer(5))));
  }

  private static List<TestNode> others(TestCluster cluster, TestNode... these) {
    return cluster.nodes().stream().filter(node -> !List.of(these).contains(node)).toList();
  }

  private static TestNode leaderBesides(TestCluster cluster, TestNode node, long after) {
    return others(cluster, node).stream()
        .filter(each -> each.isReady() && each.raft.leadership().term() > after)
        .findFirst()
        .orElse(null);
  }
}
