package dev.wisent.replication.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.raft.LogApplier;
import dev.wisent.replication.raft.LogApplier.Applied;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The time of the last operation that can be read. */
class AppliedOpTimeTest {
  private @TempDir Path directory;
  private StorageEngine storage;
  private AppliedOpTime applied;

  /** What the next application does instead, or null. */
  private Runnable fault;

  private long index;

  @BeforeEach
  void open() {
    storage = open(directory.resolve("store"));
    applied = new AppliedOpTime(storage, nanos -> true);
  }

  @AfterEach
  void close() {
    storage.close();
  }

  @Test
  void isThatOfWhatWasApplied() {
    assertThat(applied.opTime()).isEqualTo(OpTime.NONE);
    assertThat(applied.wallMillis()).isZero();
    apply(entry(4, 1), entry(5, 1));
    assertThat(applied.opTime()).isEqualTo(new OpTime(5, 1));
    assertThat(applied.published()).isEqualTo(new OpTime(5, 1));
    assertThat(applied.wallMillis()).isEqualTo(500);
    apply(entry(7, 2));
    assertThat(applied.opTime()).isEqualTo(new OpTime(7, 2));
  }

  @Test
  void staysWhenNothingComesIntoTheOplog() {
    apply(entry(5, 1));
    apply(new MutationBuilder().put(Keyspace.SYSTEM, new byte[] {1}, new byte[] {2}).build());
    apply();
    assertThat(applied.opTime()).isEqualTo(new OpTime(5, 1));
    apply(entry(7, 2), new MutationBuilder().delete(Keyspace.SYSTEM, new byte[] {1}).build());
    assertThat(applied.opTime()).isEqualTo(new OpTime(7, 2));
  }

  @Test
  void isAsNewAsWhatCanBeReadAlreadyButToldOnlyWhenAllOfItIsDone() {
    apply(entry(5, 1));
    Mutation next = entry(7, 2);
    applied.applying(List.of(new Applied(next, false)));
    assertThat(applied.opTime()).isEqualTo(new OpTime(5, 1));
    storage.apply(List.of(next.batch()), new LogPosition(1, ++index));
    assertThat(applied.opTime()).isEqualTo(new OpTime(7, 2));
    assertThat(applied.wallMillis()).isEqualTo(700);
    assertThat(applied.published()).isEqualTo(new OpTime(5, 1));
    applied.applied();
    assertThat(applied.published()).isEqualTo(new OpTime(7, 2));
  }

  @Test
  void isNotThatOfWhatCouldNotBeWritten() {
    apply(entry(5, 1));
    fault =
        () -> {
          throw new StorageException(StorageException.Kind.FULL, "no room");
        };
    assertThatThrownBy(() -> apply(entry(7, 2))).isInstanceOf(StorageException.class);
    assertThat(applied.opTime()).isEqualTo(new OpTime(5, 1));
    assertThat(applied.published()).isEqualTo(new OpTime(5, 1));
    fault = null;
    apply(entry(7, 2));
    assertThat(applied.published()).isEqualTo(new OpTime(7, 2));
  }

  @Test
  void isThatOfWhatWasWrittenBeforeItFailed() {
    apply(entry(5, 1));
    Mutation next = entry(7, 2);
    fault =
        () -> {
          storage.apply(List.of(next.batch()), new LogPosition(1, ++index));
          throw new IllegalStateException("after the write");
        };
    assertThatThrownBy(() -> apply(next)).isInstanceOf(IllegalStateException.class);
    assertThat(applied.opTime()).isEqualTo(new OpTime(7, 2));
    assertThat(applied.published()).isEqualTo(new OpTime(7, 2));
  }

  @Test
  void isWhatTheStoreHasAfterARestart() {
    apply(entry(5, 1));
    storage.flush();
    storage.close();
    open();
    assertThat(applied.opTime()).isEqualTo(new OpTime(5, 1));
    assertThat(applied.published()).isEqualTo(new OpTime(5, 1));
    apply(entry(7, 2));
    assertThat(applied.opTime()).isEqualTo(new OpTime(7, 2));
  }

  /** Both ways: a checkpoint may also have less than was here, of another log. */
  @Test
  void isThatOfAnInstalledCheckpoint() {
    apply(entry(5, 1));
    storage.checkpoint(directory.resolve("older"));
    apply(entry(7, 2));
    storage.checkpoint(directory.resolve("newer"));
    applier().install(directory.resolve("older"));
    assertThat(applied.opTime()).isEqualTo(new OpTime(5, 1));
    assertThat(applied.published()).isEqualTo(new OpTime(5, 1));
    applier().install(directory.resolve("newer"));
    assertThat(applied.published()).isEqualTo(new OpTime(7, 2));
    apply(entry(9, 3));
    assertThat(applied.published()).isEqualTo(new OpTime(9, 3));
  }

  @Test
  void isWhatTheStoreHasWhenACheckpointCouldNotBeInstalled() {
    apply(entry(5, 1));
    assertThatThrownBy(() -> applier().install(directory.resolve("absent")))
        .isInstanceOf(RuntimeException.class);
    assertThat(applied.opTime()).isEqualTo(new OpTime(5, 1));
    apply(entry(7, 2));
    assertThat(applied.published()).isEqualTo(new OpTime(7, 2));
  }

  @Test
  void isTheLastThatIsKnownWhileNothingCanBeRead() {
    apply(entry(5, 1));
    applied.applying(List.of(new Applied(entry(7, 2), false)));
    storage.close();
    assertThat(applied.opTime()).isEqualTo(new OpTime(5, 1));
    applied.unsure();
    assertThat(applied.opTime()).isEqualTo(new OpTime(5, 1));
    assertThat(applied.published()).isEqualTo(new OpTime(5, 1));
  }

  @Test
  void isPublishedBeforeOthersAreTold() {
    // What is written while it waits for the publication may not be published itself.
    applied =
        new AppliedOpTime(
            storage,
            nanos -> {
              apply(entry(7, 2));
              return true;
            });
    apply(entry(5, 1));
    assertThat(applied.published()).isEqualTo(new OpTime(5, 1));
    assertThat(applied.opTime()).isEqualTo(new OpTime(7, 2));
  }

  private static StorageEngine open(Path path) {
    return StorageEngine.open(
        StorageOptions.defaults(path).withCacheBytes(8 << 20).withReplicatedLog());
  }

  private void apply(Mutation... mutations) {
    applier()
        .apply(
            List.of(mutations).stream().map(each -> new Applied(each, false)).toList(),
            new LogPosition(1, ++index));
  }

  private LogApplier applier() {
    return new ObservedApplier(new StoreOnly(), applied);
  }

  private static Mutation entry(long timestamp, long term) {
    byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(timestamp).array();
    byte[] entry =
        new BsonBuilder()
            .appendTimestamp("ts", timestamp)
            .appendInt64("t", term)
            .appendDate("wall", timestamp * 100)
            .toDocument()
            .toByteArray();
    return new MutationBuilder()
        .put(Keyspace.OPLOG, key, entry)
        .put(Keyspace.SYSTEM, key, key)
        .build();
  }

  private final class StoreOnly implements LogApplier {
    @Override
    public LogPosition applied() {
      return storage.appliedPosition();
    }

    @Override
    public OpTime newest() {
      return OpTime.NONE;
    }

    @Override
    public long seenIndex() {
      return storage.seenIndex();
    }

    @Override
    public void apply(List<Applied> mutations, LogPosition position) {
      if (fault != null) {
        fault.run();
      }
      storage.apply(mutations.stream().map(each -> each.mutation().batch()).toList(), position);
    }

    @Override
    public void enter(LogPosition position) {
      storage.enterLog(position);
    }

    @Override
    public LogPosition flush() {
      storage.flush();
      return storage.appliedPosition();
    }

    @Override
    public LogPosition checkpoint(Path target) {
      storage.checkpoint(target);
      return storage.appliedPosition();
    }

    @Override
    public LogPosition outline(Path target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean keepsData() {
      return true;
    }

    @Override
    public boolean hasRoom() {
      return true;
    }

    @Override
    public void recover() {}

    @Override
    public void install(Path checkpoint) {
      storage.replaceContents(checkpoint);
    }
  }
}
