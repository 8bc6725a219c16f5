package dev.wisent.database;

import dev.wisent.database.oplog.OplogSlots;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageException.Kind;

/** Stamps oplog entries as the log of a replica set does, with a second for each mutation. */
final class OplogKeepingLog implements CommitLog {
  static final long TERM = 7;

  private final CommitLog log;
  private final long mutationBytesMax;
  private long seconds; // guarded by this
  private volatile Runnable onEntries = () -> {};

  OplogKeepingLog(CommitLog log) {
    this(log, log.mutationBytesMax());
  }

  OplogKeepingLog(CommitLog log, long mutationBytesMax) {
    this.log = log;
    this.mutationBytesMax = mutationBytesMax;
  }

  @Override
  public long mutationBytesMax() {
    return mutationBytesMax;
  }

  /** Has the next mutation get the second after this one. */
  synchronized void second(long newSecond) {
    seconds = newSecond;
  }

  /** Goes on with what a database has, and has it accept writes. */
  synchronized void attach(LocalDatabase database) {
    seconds = database.catalog().oplog().newest() >>> 32;
    onEntries = database.catalog().oplog()::grown;
    database.leadership().becomeLeader(TERM);
  }

  @Override
  public synchronized CommitFuture submit(Mutation mutation) {
    if (OplogSlots.sizeBytes(mutation) > mutationBytesMax) {
      throw new StorageException(Kind.TOO_LARGE, "The mutation is too large");
    }
    if (mutation.oplogEntries().isEmpty()) {
      return log.submit(mutation);
    }
    seconds++;
    var stamp = new OplogSlots((seconds << 32) | 1, TERM, seconds * 1000);
    CommitFuture commit = log.submit(stamp.applyTo(mutation));
    onEntries.run();
    return new Stamped(commit, ((seconds << 32) | 1) + mutation.oplogEntries().size() - 1);
  }

  record Stamped(CommitFuture commit, long timestamp) implements CommitFuture {
    @Override
    public void awaitApplied() {
      commit.awaitApplied();
    }

    @Override
    public void awaitDurable() {
      commit.awaitDurable();
    }

    @Override
    public long position() {
      return commit.position();
    }
  }

  @Override
  public boolean keepsOplog() {
    return true;
  }

  @Override
  public void sync() {
    log.sync();
  }

  @Override
  public void close() {
    log.close();
  }
}
