package dev.wisent.replication.raft;

import dev.wisent.base.CommandException;
import dev.wisent.base.Scheduler;
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.StorageException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Proposes an empty entry now and then, until it is closed. Ratis' leader looks after a new peer
 * with each heartbeat, so that adding one takes several of them; an entry has it look at once.
 */
final class Nudges implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(30);
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RaftCommitLog log;
  private final Scheduler.Task task;

  Nudges(RaftCommitLog log, Scheduler scheduler) {
    this.log = log;
    this.task = scheduler.every(PAUSE, "nudges", this::nudge);
  }

  private void nudge() {
    try {
      log.confirm().awaitApplied(TIMEOUT_NANOS);
    } catch (CommandException | StorageException | LeadershipException e) {
      // It does not lead any more: the change of peers fails, and closes this.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    task.cancel();
  }
}
