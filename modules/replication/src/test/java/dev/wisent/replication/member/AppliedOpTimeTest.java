package dev.wisent.replication.member;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.replication.OpTime;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.LocalCommitLog;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The time of the last operation that can be read. */
class AppliedOpTimeTest {
  @Test
  void isAsNewAsWhatCanBeRead(@TempDir Path directory) {
    try (StorageEngine storage =
            StorageEngine.open(StorageOptions.defaults(directory).withCacheBytes(8 << 20));
        LocalCommitLog log = LocalCommitLog.start(storage)) {
      // Nobody has told yet that anything was applied: that comes after readers can see it.
      var applied = new AppliedOpTime(storage, () -> 0, () -> {});
      assertThat(applied.opTime()).isEqualTo(OpTime.NONE);
      write(log, 5, 1);
      assertThat(applied.opTime()).isEqualTo(new OpTime(5, 1));
      assertThat(applied.wallMillis()).isEqualTo(500);
      write(log, 7, 2);
      assertThat(applied.opTime()).isEqualTo(new OpTime(7, 2));
    }
  }

  @Test
  void isTheLastThatIsKnownWhileNothingCanBeRead(@TempDir Path directory) {
    AppliedOpTime applied;
    try (StorageEngine storage =
            StorageEngine.open(StorageOptions.defaults(directory).withCacheBytes(8 << 20));
        LocalCommitLog log = LocalCommitLog.start(storage)) {
      applied = new AppliedOpTime(storage, () -> 0, () -> {});
      write(log, 5, 1);
      assertThat(applied.opTime()).isEqualTo(new OpTime(5, 1));
    }
    assertThat(applied.opTime()).isEqualTo(new OpTime(5, 1));
  }

  @Test
  void isPublishedBeforeOthersAreTold(@TempDir Path directory) {
    try (StorageEngine storage =
            StorageEngine.open(StorageOptions.defaults(directory).withCacheBytes(8 << 20));
        LocalCommitLog log = LocalCommitLog.start(storage)) {
      // What is written while it waits for the publication may not be published itself.
      var applied = new AppliedOpTime(storage, () -> 0, () -> write(log, 7, 2));
      write(log, 5, 1);
      assertThat(applied.published()).isEqualTo(new OpTime(5, 1));
      assertThat(applied.opTime()).isEqualTo(new OpTime(7, 2));
    }
  }

  private static void write(LocalCommitLog log, long timestamp, long term) {
    byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(timestamp).array();
    byte[] entry =
        new BsonBuilder()
            .appendTimestamp("ts", timestamp)
            .appendInt64("t", term)
            .appendDate("wall", timestamp * 100)
            .toDocument()
            .toByteArray();
    log.submit(new MutationBuilder().put(Keyspace.OPLOG, key, entry).build()).awaitApplied();
  }
}
