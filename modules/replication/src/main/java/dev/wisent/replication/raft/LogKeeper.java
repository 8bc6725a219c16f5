package dev.wisent.replication.raft;

import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.storage.LogPosition;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the log from growing for ever. Each time that a certain amount has been applied, the store
 * is flushed, and the log given up as far as the flush before had come: so it never loses what the
 * store does not have on disk, and the last part of it stays for members that were away.
 */
final class LogKeeper {
  private static final Duration LOOK_PERIOD = Duration.ofSeconds(60);

  private final long bytesMax;
  private final CheckpointServer checkpoints;
  private final Log log;
  private final AtomicLong bytes = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final BackgroundLoop loop;

  /** The fields below are guarded by the lock. */
  private LogStateMachine machine;

  private RatisSession session;
  private long flushedIndex = -1;

  LogKeeper(long bytesMax, CheckpointServer checkpoints, BackgroundLoops loops, Log log) {
    this.bytesMax = bytesMax;
    this.checkpoints = checkpoints;
    this.log = log;
    this.loop = loops.every(LOOK_PERIOD, "wisent-log-keeper", this::turn);
  }

  void start() {
    loop.start();
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
    if (bytes.addAndGet(entryBytes) >= bytesMax) {
      loop.wake();
    }
  }

  /** Where it fails, the next entry that is applied has it tried again. */
  private void turn() {
    lock.lock();
    try {
      discardCheckpoints(false);
      long passed = bytes.get();
      if (machine != null && passed >= bytesMax) {
        flushAndPurge();
        bytes.addAndGet(-passed);
      }
    } finally {
      lock.unlock();
    }
  }

  private void discardCheckpoints(boolean all) {
    try {
      if (all) {
        checkpoints.discardAll();
      } else {
        checkpoints.discardIdle();
      }
    } catch (IOException e) {
      log.warn(7_100_004, "Cannot remove a checkpoint", "error", e.toString());
    }
  }

  private void flushAndPurge() {
    LogPosition position = machine.flush();
    if (flushedIndex >= 0) {
      var unused = session.division().getRaftLog().purge(flushedIndex);
    }
    flushedIndex = position.index();
  }

  void close() {
    loop.stop();
    discardCheckpoints(true);
  }
}
