package dev.wisent.replication.raft;

import static dev.wisent.replication.raft.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.storage.Keyspace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nodes of a replicated log, with real stores, in one process. */
@Execution(ExecutionMode.CONCURRENT)
class RatisNodeTest {
  private static final int THREADS = 16;
  private static final int WRITES = 50;

  @TempDir Path directory;

  @Test
  void whatManyThreadsSubmitIsTheSameOnAllNodes() throws Exception {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      writeFromManyThreads(leader);
      cluster.awaitEqual();
      var expected = leader.contents(Keyspace.RECORDS);
      assertThat(expected).hasSize(THREADS * WRITES);
      for (TestNode node : cluster.nodes()) {
        assertThat(node.contents(Keyspace.RECORDS)).isEqualTo(expected);
        assertThat(node.contents(Keyspace.SYSTEM)).isEqualTo(leader.contents(Keyspace.SYSTEM));
      }
      assertThat(leader.applier.local).hasValue(THREADS * WRITES);
      assertThat(leader.applier.replicated).hasValue(0);
      assertThat(leader.applier.entries.get()).as("shared entries").isLessThan(THREADS * WRITES);
      assertThat(cluster.follower().applier.local).hasValue(0);
    }
  }

  @Test
  void aNodeThatIsClosedIsReplacedAndComesBack() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
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
  void allNodesCanBeStoppedAndStarted() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      cluster.leader().put("a", "1").awaitApplied();
      for (String id : List.of("n1", "n2", "n3")) {
        cluster.stop(id);
      }
      for (String id : List.of("n1", "n2", "n3")) {
        cluster.start(id);
      }
      TestNode leader = cluster.leader();
      assertThat(leader.get("a")).isEqualTo("1");
      leader.put("b", "2").awaitApplied();
      cluster.awaitEqual();
      assertThat(cluster.nodes()).allSatisfy(node -> assertThat(node.get("b")).isEqualTo("2"));
      assertThat(leader.raft.peers()).hasSize(3);
      leader.raft.confirmLeadership().awaitApplied();
    }
  }

  @Test
  void anotherElectionTimeoutIsFollowedByAllAndKept() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode first = cluster.leader();
      first.put("a", "1").awaitApplied();
      Duration timeout = Duration.ofMillis(3000);
      for (TestNode node : cluster.nodes()) {
        if (node != first) {
          node.raft.electionTimeout(timeout);
        }
      }
      first.raft.electionTimeout(timeout);
      TestNode leader = cluster.leader();
      leader.put("b", "2").awaitApplied();
      cluster.awaitEqual();
      for (TestNode node : cluster.nodes()) {
        assertThat(electionTimeouts(node)).containsExactly(1500, 3000);
      }
      leader.raft.electionTimeout(Duration.ofMillis(1));
      assertThat(electionTimeouts(leader)).containsExactly(150, 300);
    }
  }

  private static int[] electionTimeouts(TestNode node) {
    var server = ((RatisSession) node.raft.target()).division().properties();
    return new int[] {server.minRpcTimeoutMs(), server.maxRpcTimeoutMs()};
  }

  private static void writeFromManyThreads(TestNode leader) throws Exception {
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        tasks.add(
            () -> {
              for (int i = 0; i < WRITES; i++) {
                leader.put("k" + thread + "-" + i, "v" + i).awaitApplied();
              }
              return null;
            });
      }
      for (Future<Void> each : threads.invokeAll(tasks)) {
        each.get();
      }
    }
  }

  /** The server flushes the store before it has read its own files. */
  @Test
  void aNodeThatIsBeingStartedAnswers(@TempDir Path directory) {
    try (TestNode node = new TestNode("n1", directory, options -> options)) {
      List<Object> answers = new CopyOnWriteArrayList<>();
      node.applier.beforeFlush =
          () -> {
            answers.add(node.raft.ballot());
            answers.add(node.raft.peers());
            answers.add(node.raft.leadership());
            answers.add(node.raft.isFrozen());
            answers.add(node.raft.fault());
          };
      node.raft.begin(UUID.randomUUID(), node.peer());
      assertThat(answers).hasSizeGreaterThanOrEqualTo(10).contains(Ballot.NONE);
      TestCluster.await("it leads", node::isReady);
    }
  }
}
