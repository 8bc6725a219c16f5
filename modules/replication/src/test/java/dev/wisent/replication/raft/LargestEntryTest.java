package dev.wisent.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.database.oplog.OplogSlots;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageException.Kind;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Entries of the size that the log can take. Three nodes in one JVM have several copies of each at
 * a time: beside other tests the collector would stop the leader for longer than an election
 * timeout.
 */
@Isolated
class LargestEntryTest {
  @TempDir private Path directory;

  /** The client's retry would topple one leader after the other. */
  @Test
  void anEntryAtTheLimitIsReplicatedAndALargerOneChangesNothing() {
    try (TestCluster cluster = TestCluster.of(3, directory, TestCluster.STEADY)) {
      TestNode leader = cluster.leader();
      long term = leader.raft.leadership().term();
      byte[] oplogEntry = new byte[20 << 20];
      int other = Math.toIntExact(size(oplogEntry, 1 << 20)) - (1 << 20);
      int room = Math.toIntExact(leader.raft.log().mutationBytesMax()) - other;
      leader.raft.log().submit(mutation(oplogEntry, room)).awaitApplied();
      cluster.awaitEqual();
      assertThatThrownBy(() -> leader.raft.log().submit(mutation(oplogEntry, room + 1)))
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TOO_LARGE));
      assertThat(cluster.follower().engine.get(Keyspace.RECORDS, TestNode.bytes("large")))
          .hasSize(room);
      leader.put("small", "1").awaitApplied();
      assertThat(leader.raft.leadership().term()).isEqualTo(term);
    }
  }

  private static Mutation mutation(byte[] oplogEntry, int value) {
    return new MutationBuilder()
        .put(Keyspace.RECORDS, TestNode.bytes("large"), new byte[value])
        .oplogEntry(oplogEntry)
        .build();
  }

  private static long size(byte[] oplogEntry, int value) {
    // The length of a value of more than 2 MiB takes one byte more.
    return OplogSlots.sizeBytes(mutation(oplogEntry, value)) + 1;
  }
}
