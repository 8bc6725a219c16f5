package dev.wisent.replication.raft;

import dev.wisent.base.CommandException;
import dev.wisent.storage.StorageException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Proposes an empty entry now and then, until it is closed. Ratis' leader looks after a new peer
 * with each heartbeat, so that adding one takes several of them; an entry has it look at once.
 */
final class Nudges implements AutoCloseable {
  private static final long PAUSE_MILLIS = 30;
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RaftCommitLog log;
  private final CountDownLatch closed = new CountDownLatch(1);

  Nudges(RaftCommitLog log) {
    this.log = log;
    Thread.ofVirtual().name("wisent-nudges").start(this::run);
  }

  private void run() {
    try {
      while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
        log.confirm().awaitApplied(TIMEOUT_NANOS);
      }
    } catch (CommandException | StorageException e) {
      // It does not lead any more: there is nobody to be added.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
