package dev.wisent.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.storage.Keyspace;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node that comes back after a crash has what readers had seen, also where there is no majority.
 * The store's own log is off, so the crash takes the store back to its last flush.
 */
class CrashedNodeTest {
  private static final int WRITES = 200;

  @TempDir Path directory;

  @Test
  void aFollowerAloneAppliesAgainWhatItHadApplied() throws IOException {
    TreeMap<String, String> before = crashAFollower();
    try (TestNode crashed = new TestNode("crashed", directory.resolve("crashed"), o -> o)) {
      assertThat(crashed.contents(Keyspace.RECORDS)).isEqualTo(before);
      assertThat(crashed.raft.isRecovered()).isTrue();
      assertThat(crashed.raft.leadership().leaderId()).isNull();
    }
  }

  /** As a leader that had applied an entry which only the others had on disk. */
  @Test
  void aNodeThatHasLostTheEndOfItsLogIsNotRecovered() throws IOException {
    crashAFollower();
    advanceMark(directory.resolve("crashed").resolve("data").resolve("wisent.applied"), 10);
    try (TestNode crashed = new TestNode("crashed", directory.resolve("crashed"), o -> o)) {
      assertThat(crashed.contents(Keyspace.RECORDS)).isNotEmpty();
      assertThat(crashed.raft.isRecovered()).isFalse();
    }
  }

  @Test
  void aNodeThatHasLostTheEndOfItsLogGetsItFromTheLeader() throws IOException {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      leader.put("a", "1").awaitApplied();
      cluster.awaitEqual();
      String id = cluster.follower().id;
      cluster.stop(id);
      advanceMark(directory.resolve(id).resolve("data").resolve("wisent.applied"), 1);
      TestNode back = cluster.start(id);
      assertThat(back.raft.isRecovered()).isFalse();
      leader.put("b", "2").awaitApplied();
      TestCluster.await("the entry is there", back.raft::isRecovered);
      assertThat(back.get("b")).isEqualTo("2");
    }
  }

  /** Returns what readers could see on the follower. */
  private TreeMap<String, String> crashAFollower() throws IOException {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      for (int i = 0; i < WRITES; i++) {
        leader.put("k" + i, "v" + i).awaitApplied();
      }
      cluster.awaitEqual();
      TestNode follower = cluster.follower();
      copy(directory.resolve(follower.id), directory.resolve("crashed"));
      return follower.contents(Keyspace.RECORDS);
    }
  }

  /** What a crash leaves: the files as they are now. */
  private static void copy(Path from, Path to) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(from)) {
      files = all.toList();
    }
    for (Path file : files) {
      Files.copy(file, to.resolve(from.relativize(file).toString()));
    }
  }

  private static void advanceMark(Path file, long by) throws IOException {
    try (var mark = new RandomAccessFile(file.toFile(), "rw")) {
      var bytes = mark.getChannel().map(MapMode.READ_WRITE, 0, Long.BYTES);
      bytes.order(ByteOrder.nativeOrder());
      bytes.putLong(0, bytes.getLong(0) + by);
    }
  }
}
