package dev.wisent.replication.raft;

import static dev.wisent.replication.raft.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What is left of a log when nodes come and go. */
@Execution(ExecutionMode.CONCURRENT)
class LogFaultTest {
  @TempDir Path directory;

  /** Ratis tells that it could not append; it would go on to run and stay behind. */
  @Test
  void aLogThatFindsTheDiskFullIsStartedAgainWhenThereIsSpace() throws Exception {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      TestNode full = cluster.follower();
      leader.put("a", "1").awaitApplied();
      full.applier.room = false;
      ((RatisSession) full.raft.target())
          .machine()
          .notifyLogFailed(new IOException("No space left on device"), null);
      assertThat(full.raft.fault().orElseThrow())
          .contains("cannot write to the log")
          .contains("full");
      await("its log has ended", () -> full.raft.peers().isEmpty());
      leader.put("b", "1").awaitApplied();
      assertThat(full.get("b")).isNull();
      assertThat(full.raft.fault()).isPresent();
      assertThat(full.applier.recoveries).hasValue(0);
      full.applier.room = true;
      await("it has caught up", () -> "1".equals(full.get("b")));
      await("nothing is wrong any more", () -> full.raft.fault().isEmpty());
      assertThat(full.applier.recoveries).hasValue(1);
    }
  }

  /** Each writer stops at the first error; all that was acknowledged before has to be there. */
  @Test
  void nothingThatWasAcknowledgedIsLostWhenLeadersGo() throws Exception {
    try (TestCluster cluster = TestCluster.of(3, directory, UnaryOperator.identity())) {
      Map<String, String> acknowledged = new ConcurrentHashMap<>();
      for (int round = 0; round < 3; round++) {
        TestNode leader = cluster.leader();
        Thread[] writers = new Thread[8];
        for (int i = 0; i < writers.length; i++) {
          String prefix = "r" + round + "-w" + i + "-";
          writers[i] = Thread.ofPlatform().start(() -> write(leader, prefix, acknowledged));
        }
        int before = acknowledged.size();
        // Unless it has lost leadership by itself before.
        await(
            "some are acknowledged",
            () ->
                acknowledged.size() > before + 100
                    || Stream.of(writers).noneMatch(Thread::isAlive));
        cluster.stop(leader.id);
        for (Thread writer : writers) {
          writer.join();
        }
        TestNode next = cluster.leader();
        assertThat(next.contents(Keyspace.RECORDS)).containsAllEntriesOf(acknowledged);
        cluster.start(leader.id);
      }
      cluster.awaitEqual();
      var expected = cluster.leader().contents(Keyspace.RECORDS);
      assertThat(cluster.nodes())
          .allSatisfy(node -> assertThat(node.contents(Keyspace.RECORDS)).isEqualTo(expected));
    }
  }

  private static void write(TestNode leader, String prefix, Map<String, String> acknowledged) {
    for (int i = 0; ; i++) {
      try {
        leader.put(prefix + i, "v").awaitApplied();
        acknowledged.put(prefix + i, "v");
      } catch (LeadershipException e) {
        return;
      } catch (StorageException e) {
        assertThat(e.kind()).isEqualTo(Kind.CLOSED);
        return;
      }
    }
  }

  @Test
  void aNodeWithoutTheLogGetsACheckpoint() throws Exception {
    UnaryOperator<RaftOptions> little =
        options -> TestCluster.STEADY.apply(options).withKeptLogBytes(8 << 20);
    try (TestCluster cluster = TestCluster.of(3, directory, little)) {
      String away = cluster.follower().id;
      cluster.stop(away);
      TestNode leader = cluster.leader();
      String value = "v".repeat(1 << 20);
      // Several segments, of which all but the last ones are given up.
      Path log = directory.resolve(leader.id).resolve("raft/log");
      int count = 0;
      while (hasFirstSegment(log)) {
        CommitFuture last = null;
        for (int i = 0; i < 16; i++) {
          last = leader.put("k" + count++ % 50, value + count);
        }
        last.awaitApplied();
        assertThat(count).isLessThan(2000);
      }
      leader.put("last", "1").awaitApplied();
      TestNode back = cluster.start(away);
      await("it has a checkpoint", () -> back.applier.installed.get() > 0);
      await("it has the last write", () -> "1".equals(back.get("last")));
      assertThat(back.applier.installed.get()).isPositive();
      cluster.awaitEqual();
      assertThat(back.contents(Keyspace.RECORDS)).isEqualTo(leader.contents(Keyspace.RECORDS));
    }
  }

  private static boolean hasFirstSegment(Path log) throws Exception {
    try (Stream<Path> files = Files.walk(log)) {
      return files.anyMatch(
          file -> file.getFileName().toString().matches("log_1-\\d+|log_inprogress_1"));
    }
  }

  @Test
  void aLeaderWithoutAMajorityTellsThoseWhoWait() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      leader.put("a", "1").awaitApplied();
      cluster.stopAllBut(leader);
      assertThatThrownBy(() -> leader.put("b", "1").awaitApplied())
          .isInstanceOfSatisfying(
              LeadershipException.class,
              e -> assertThat(e.kind()).isEqualTo(LeadershipException.Kind.LEADERSHIP_LOST));
      await("it does not lead", () -> !leader.isReady());
      assertThatThrownBy(() -> leader.put("c", "1"))
          .isInstanceOfSatisfying(
              LeadershipException.class,
              e -> assertThat(e.kind()).isEqualTo(LeadershipException.Kind.NOT_LEADER));
      assertThat(leader.get("a")).as("reads go on").isEqualTo("1");
      int localBefore = leader.applier.local.get();
      cluster.start("n1".equals(leader.id) ? "n2" : "n1");
      cluster.leader().put("d", "1").awaitApplied();
      cluster.awaitEqual();
      // If the write whose outcome was unknown was accepted after all, it has no waiters.
      assertThat(leader.applier.local.get())
          .isLessThanOrEqualTo(localBefore + (cluster.leader() == leader ? 1 : 0));
    }
  }

  /** The log has the write, so it has happened, although the leader cannot apply it. */
  @Test
  void aLeaderWithAFullDiskStopsAndTheOthersGoOn() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode full = cluster.leader();
      full.put("a", "1").awaitApplied();
      full.applier.fault = new StorageException(Kind.FULL, "the disk is full");
      assertThatThrownBy(() -> full.put("b", "1").awaitApplied())
          .isInstanceOfSatisfying(
              LeadershipException.class,
              e -> assertThat(e.kind()).isEqualTo(LeadershipException.Kind.LEADERSHIP_LOST));
      assertThat(full.raft.fault().orElseThrow()).contains("the disk is full");
      TestNode next =
          await(
              "another leads",
              () ->
                  cluster.nodes().stream()
                      .filter(node -> node != full && node.isReady())
                      .findFirst()
                      .orElse(null));
      assertThat(next.get("b")).isEqualTo("1");
      next.put("c", "1").awaitApplied();
      assertThat(full.get("a")).as("reads go on").isEqualTo("1");
      assertThat(full.get("b")).isNull();
      assertThat(full.raft.fault()).isPresent();
      assertThat(next.raft.fault()).isEmpty();
      full.applier.fault = null;
      await("it has caught up", () -> "1".equals(full.get("c")));
      assertThat(full.get("b")).isEqualTo("1");
      await("nothing is wrong any more", () -> full.raft.fault().isEmpty());
    }
  }

  /** All members leave out an entry that was evaluated in another term than it was logged in. */
  @Test
  void anEntryOfAnEarlierTermIsLeftOut() throws Exception {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      leader.put("a", "1").awaitApplied();
      long term = leader.raft.leadership().term();
      ByteString stale =
          EntryFormat.encode(
              new EntryFormat.Entry(
                  term - 1,
                  0,
                  List.of(
                      new MutationBuilder()
                          .put(Keyspace.RECORDS, TestNode.bytes("stale"), TestNode.bytes("1"))
                          .build())));
      leader.raft.target().append(1_000_000, stale).get();
      leader.put("b", "1").awaitApplied();
      cluster.awaitEqual();
      assertThat(cluster.nodes())
          .allSatisfy(
              node -> {
                assertThat(node.get("stale")).isNull();
                assertThat(node.get("b")).isEqualTo("1");
              });
    }
  }

  @Test
  void onlyTheLeaderConfirmsLeadership() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      cluster.leader().raft.confirmLeadership().awaitApplied();
      var confirmed = new AtomicBoolean();
      assertThatThrownBy(
              () -> {
                cluster.follower().raft.confirmLeadership().awaitApplied();
                confirmed.set(true);
              })
          .isInstanceOf(LeadershipException.class);
      assertThat(confirmed).isFalse();
    }
  }
}
