package dev.wisent.storage;

import dev.wisent.storage.StorageException.Kind;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The commit log of a standalone node: RocksDB's write-ahead log.
 *
 * <p>Every mutation is written to the operating system by the submitting thread before {@link
 * #submit} returns (RocksDB groups concurrent writers), so the death of the process alone loses
 * nothing. An fsync follows within the journal interval, or at once when somebody waits for it; one
 * fsync serves all who wait. After a failed write or fsync the log accepts and acknowledges nothing
 * more.
 */
public final class LocalCommitLog implements CommitLog {
  private final StorageEngine engine;
  private final GroupSync group;
  private final int journalIntervalMillis;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread journal;

  private LocalCommitLog(StorageEngine engine) {
    this.engine = engine;
    this.group = new GroupSync(engine::syncLog);
    this.journalIntervalMillis = engine.options().journalIntervalMillis();
    this.journal =
        Thread.ofPlatform().name("wisent-journal").daemon(true).unstarted(this::syncAtIntervals);
  }

  /** Starts the log and its journal thread. Close it before the engine. */
  public static LocalCommitLog start(StorageEngine engine) {
    LocalCommitLog log = new LocalCommitLog(engine);
    log.journal.start();
    return log;
  }

  @Override
  public CommitFuture submit(Mutation mutation) {
    group.checkHealthy();
    if (stop.getCount() == 0) {
      throw StorageException.closed("The log");
    }
    if (mutation.isEmpty()) {
      return new LocalFuture(group, group.newestPosition());
    }
    try {
      engine.write(mutation.batch());
    } catch (StorageException e) {
      if (e.kind() != Kind.CLOSED) {
        group.fail(e);
      }
      throw e;
    }
    return new LocalFuture(group, group.completed());
  }

  @Override
  public void sync() {
    group.checkHealthy();
    group.awaitDurable(group.newestPosition());
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
    stop.countDown();
    boolean interrupted = false;
    while (true) {
      try {
        journal.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (group.failure().isEmpty() && group.hasUnsynced()) {
      try {
        group.awaitDurable(group.newestPosition());
      } catch (StorageException e) {
        // An engine that was closed first has synced.
        if (e.kind() != Kind.CLOSED) {
          throw e;
        }
      }
    }
  }

  private void syncAtIntervals() {
    while (group.failure().isEmpty() && !stopped()) {
      if (group.hasUnsynced()) {
        try {
          group.awaitDurable(group.newestPosition());
        } catch (StorageException e) {
          // The group has recorded it: from now on every submission and every wait reports it.
          return;
        }
      }
    }
  }

  /** Waits for the journal interval. */
  private boolean stopped() {
    try {
      return stop.await(journalIntervalMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // Nobody has a reason to interrupt this thread; treat it as the order to stop.
      return true;
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
  }
}
