package dev.wisent.storage;

import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.storage.StorageException.Kind;
import java.time.Duration;
import java.util.Optional;

/**
 * The commit log of a standalone node: RocksDB's write-ahead log.
 *
 * <p>Every mutation is written to the operating system by the submitting thread before {@link
 * #submit} returns (RocksDB groups concurrent writers), so the death of the process alone loses
 * nothing. An fsync follows within the journal interval, or at once when a thread waits for it; one
 * fsync serves all who wait. After a failed write or fsync the log accepts and acknowledges nothing
 * more, until the store was opened again.
 */
public final class LocalCommitLog implements CommitLog {
  private final StorageEngine engine;
  private volatile GroupSync group;
  private final BackgroundLoop journal;

  private LocalCommitLog(StorageEngine engine, BackgroundLoops loops) {
    this.engine = engine;
    this.group = new GroupSync(engine::syncLog, 0);
    this.journal =
        loops.every(
            Duration.ofMillis(engine.options().journalIntervalMillis()),
            "wisent-journal",
            this::syncUnsynced);
  }

  /** Starts the log and its journal thread. Close it before the engine. */
  public static LocalCommitLog start(StorageEngine engine, BackgroundLoops loops) {
    LocalCommitLog log = new LocalCommitLog(engine, loops);
    log.journal.start();
    return log;
  }

  @Override
  public CommitFuture submit(Mutation mutation) {
    GroupSync current = group;
    current.checkHealthy();
    if (journal.isStopped()) {
      throw StorageException.closed("The log");
    }
    if (mutation.isEmpty()) {
      return new LocalFuture(current, current.newestPosition());
    }
    try {
      engine.write(mutation.batch());
    } catch (StorageException e) {
      if (e.kind() != Kind.CLOSED) {
        current.fail(e);
      }
      throw e;
    }
    return new LocalFuture(current, current.completed());
  }

  @Override
  public void sync() {
    GroupSync current = group;
    current.checkHealthy();
    current.awaitDurable(current.newestPosition());
  }

  /**
   * Accepts writes again. The store was opened again meanwhile, and has on disk what its log had.
   * No write runs while this is called. Waits for earlier writes end with a failure.
   */
  public void resume() {
    GroupSync failed = group;
    group = new GroupSync(engine::syncLog, failed.newestPosition());
  }

  /** How many fsyncs were made: with group commit, fewer than writes waited for. */
  public long syncCount() {
    return group.syncCount();
  }

  /** Why the log accepts no more writes, if so. */
  public Optional<StorageException> failure() {
    return group.failure();
  }

  @Override
  public void close() {
    journal.stop();
    journal.join();
    GroupSync last = group;
    if (last.failure().isEmpty() && last.hasUnsynced()) {
      try {
        last.awaitDurable(last.newestPosition());
      } catch (StorageException e) {
        // An engine that was closed first has synced.
        if (e.kind() != Kind.CLOSED) {
          throw e;
        }
      }
    }
  }

  private void syncUnsynced() {
    GroupSync current = group;
    if (current.failure().isEmpty() && current.hasUnsynced()) {
      try {
        current.awaitDurable(current.newestPosition());
      } catch (StorageException e) {
        // The group has recorded it: from now on every submission and every wait reports it.
      }
    }
  }

  private record LocalFuture(GroupSync group, long position) implements CommitFuture {
    @Override
    public void awaitApplied() {
      // The submitting thread has applied it already.
    }

    @Override
    public void awaitDurable() {
      group.awaitDurable(position);
    }

    @Override
    public boolean awaitDurable(long timeoutNanos) throws InterruptedException {
      return group.awaitDurable(position, timeoutNanos);
    }
  }
}
