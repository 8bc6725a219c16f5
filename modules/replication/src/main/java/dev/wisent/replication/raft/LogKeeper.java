package dev.wisent.replication.raft;

import dev.wisent.base.log.Log;
import dev.wisent.storage.LogPosition;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the log from growing for ever. Each time that a certain amount has been applied, the store
 * is flushed, and the log given up as far as the flush before had come: so it never loses what the
 * store does not have on disk, and the last part of it stays for members that were away.
 */
final class LogKeeper {
  private static final long LOOK_SECONDS = 60;

  private final long bytesMax;
  private final CheckpointServer checkpoints;
  private final Log log;
  private final AtomicLong bytes = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition due = lock.newCondition();
  private final Thread thread;

  /** The fields below are guarded by the lock. */
  private LogStateMachine machine;

  private RatisSession session;
  private long flushedIndex = -1;
  private boolean closed;

  LogKeeper(long bytesMax, CheckpointServer checkpoints, Log log) {
    this.bytesMax = bytesMax;
    this.checkpoints = checkpoints;
    this.log = log;
    this.thread = Thread.ofPlatform().name("wisent-log-keeper").daemon(true).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  void attach(LogStateMachine newMachine, RatisSession newSession) {
    lock.lock();
    try {
      machine = newMachine;
      session = newSession;
      flushedIndex = -1;
      bytes.set(0);
    } finally {
      lock.unlock();
    }
  }

  /** Returns when nothing is being done to the log that was attached. */
  void detach() {
    lock.lock();
    try {
      machine = null;
      session = null;
    } finally {
      lock.unlock();
    }
  }

  void applied(long entryBytes) {
    if (bytes.addAndGet(entryBytes) >= bytesMax && lock.tryLock()) {
      try {
        due.signal();
      } finally {
        lock.unlock();
      }
    }
  }

  private void run() {
    lock.lock();
    try {
      while (!closed) {
        if (bytes.get() < bytesMax) {
          due.await(LOOK_SECONDS, TimeUnit.SECONDS);
        }
        checkpoints.discardIdle();
        if (machine != null && bytes.get() >= bytesMax) {
          bytes.set(0);
          flushAndPurge();
        }
      }
    } catch (InterruptedException e) {
      // Closing.
    } catch (IOException e) {
      log.warn(7_100_004, "Cannot remove a checkpoint", "error", e.toString());
    } finally {
      lock.unlock();
    }
  }

  private void flushAndPurge() {
    try {
      LogPosition position = machine.flush();
      if (flushedIndex >= 0) {
        var unused = session.division().getRaftLog().purge(flushedIndex);
      }
      flushedIndex = position.index();
    } catch (RuntimeException e) {
      log.warn(7_100_005, "Cannot give up old parts of the log", "error", e.toString());
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      due.signal();
    } finally {
      lock.unlock();
    }
  }
}
