package dev.wisent.storage;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.rocksdb.RocksDBException;

/**
 * Waits in RocksDB's place when it has stopped writes. Normally it waits itself, inside the write,
 * until a flush or a compaction has made room. But once a compaction has found the disk full it
 * refuses the write instead, since it does not know whether there will ever be room ({@link
 * NoRecovery}). Flushes and compactions go on and may well succeed, so it is tried again for a
 * while. Nothing of a write that was refused has happened.
 */
final class StoppedWrites {
  private static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long PAUSE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final UseGuard guard;
  private final LongConsumer pause;

  StoppedWrites(UseGuard guard) {
    this(guard, LockSupport::parkNanos);
  }

  StoppedWrites(UseGuard guard, LongConsumer pause) {
    this.guard = guard;
    this.pause = pause;
  }

  /** Writes, also if that has to wait. The caller is inside the guard. */
  void write(NativeCalls.Call write) throws RocksDBException {
    try {
      write.run();
    } catch (RocksDBException e) {
      if (!RocksErrors.isStop(e)) {
        throw e;
      }
      writeLater(write);
    }
  }

  private void writeLater(NativeCalls.Call write) throws RocksDBException {
    boolean interrupted = false;
    try {
      long pauseNanos = PAUSE_NANOS_MIN;
      for (long waitedNanos = 0; ; waitedNanos += pauseNanos) {
        pause.accept(pauseNanos);
        // Or the next pause would be none.
        interrupted |= Thread.interrupted();
        if (guard.isClosed()) {
          throw guard.exception();
        }
        try {
          write.run();
          return;
        } catch (RocksDBException e) {
          if (!RocksErrors.isStop(e) || waitedNanos >= PATIENCE_NANOS) {
            throw e;
          }
        }
        pauseNanos = Math.min(2 * pauseNanos, PAUSE_NANOS_MAX);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
