package dev.wisent.replication.raft;

import static dev.wisent.replication.raft.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.storage.Keyspace;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Entries that are in the log of a node and not to be applied yet. */
@Timeout(120)
class HeldEntriesTest {
  @TempDir Path directory;

  @Test
  void aDelayedEntryBlocksNeitherFlushNorRestartNorEnd() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      TestNode delayed = cluster.follower();
      delayed.applier.delayed = true;
      leader.put("a", "1").awaitApplied();
      await("it waits", () -> delayed.applier.waiting.get() > 0);
      var session = (RatisSession) delayed.raft.target();
      session.machine().flush();
      delayed.raft.electionTimeout(Duration.ofSeconds(5));
      assertThat(delayed.raft.target()).as("it was restarted").isNotSameAs(session);
      await("it waits again", () -> delayed.applier.waiting.get() > 0);
      assertThat(delayed.get("a")).isNull();
      cluster.stop(delayed.id);
      TestNode again = cluster.start(delayed.id);
      await("it has the entry after all", () -> "1".equals(again.get("a")));
    }
  }

  @Test
  void aStoreThatIsHeldStaysAsItIsAndCatchesUp() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      leader.put("a", "1").awaitApplied();
      cluster.awaitEqual();
      TestNode held = cluster.follower();
      held.raft.hold(true);
      var contents = held.contents(Keyspace.RECORDS);
      for (int i = 0; i < 20; i++) {
        leader.put("b" + i, "1").awaitApplied();
      }
      assertThat(held.contents(Keyspace.RECORDS)).isEqualTo(contents);

      cluster.stop(leader.id);
      TestNode next = cluster.leader();
      assertThat(next).as("who does not apply does not lead").isNotSameAs(held);
      next.put("c", "1").awaitApplied();
      assertThat(held.contents(Keyspace.RECORDS)).isEqualTo(contents);

      held.raft.hold(false);
      await("it has everything", () -> "1".equals(held.get("c")));
      cluster.awaitEqual();
      assertThat(held.contents(Keyspace.RECORDS)).isEqualTo(next.contents(Keyspace.RECORDS));
    }
  }
}
