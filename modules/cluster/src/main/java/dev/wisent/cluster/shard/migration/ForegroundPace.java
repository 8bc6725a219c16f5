package dev.wisent.cluster.shard.migration;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * How long a migration pauses between two batches, so that clients do not notice it: the mean time
 * of their operations during the migration is compared with that before it. The pause doubles while
 * operations take twice as long, up to a bound, and halves otherwise. Thread-safe.
 */
final class ForegroundPace {
  static final long PAUSE_MILLIS_MIN = 5;
  static final long PAUSE_MILLIS_MAX = 500;

  /** Fewer operations than this say nothing. */
  private static final long OPERATIONS_MIN = 20;

  /** Operations that are as quick as this are not slow, whatever they were before. */
  private static final double QUICK_MICROS = 2_000;

  /** How much slower than before operations may become. */
  private static final double SLOWER_MAX = 2;

  /** The weight of the newest sample among those before a migration. */
  private static final double NEWEST_PART = 0.2;

  /** For so long after a batch operations still count as disturbed. */
  private static final long DISTURBED_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final LongSupplier micros;
  private final LongSupplier operations;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private long seenMicros;
  private long seenOperations;
  private double quietMicros = -1;
  private long pauseMillis;
  private boolean disturbed;
  private long disturbedNanos;

  /**
   * @param micros how long the operations of clients took together
   * @param operations how many there were
   * @param nanos the time
   */
  ForegroundPace(LongSupplier micros, LongSupplier operations, LongSupplier nanos) {
    this.micros = micros;
    this.operations = operations;
    this.nanos = nanos;
  }

  /** Looks how long operations take while there is no migration; to be called now and then. */
  void rest() {
    lock.lock();
    try {
      if (disturbed && nanos.getAsLong() - disturbedNanos < DISTURBED_NANOS) {
        return;
      }
      if (disturbed) {
        disturbed = false;
        pauseMillis = 0;
        forget();
        return;
      }
      double mean = mean();
      if (mean >= 0) {
        quietMicros = quietMicros < 0 ? mean : quietMicros + NEWEST_PART * (mean - quietMicros);
      }
    } finally {
      lock.unlock();
    }
  }

  /** How long to pause after a batch. */
  long pauseMillis() {
    lock.lock();
    try {
      disturbed = true;
      disturbedNanos = nanos.getAsLong();
      double mean = mean();
      if (mean < 0) {
        return pauseMillis;
      }
      boolean slow = quietMicros >= 0 && mean > QUICK_MICROS && mean > SLOWER_MAX * quietMicros;
      pauseMillis =
          slow
              ? Math.min(PAUSE_MILLIS_MAX, Math.max(PAUSE_MILLIS_MIN, 2 * pauseMillis))
              : pauseMillis / 2;
      return pauseMillis;
    } finally {
      lock.unlock();
    }
  }

  /** The mean time of the operations since the last time; negative where there are too few. */
  private double mean() {
    long count = operations.getAsLong() - seenOperations;
    if (count < OPERATIONS_MIN) {
      return -1;
    }
    double mean = (double) (micros.getAsLong() - seenMicros) / count;
    forget();
    return mean;
  }

  private void forget() {
    seenMicros = micros.getAsLong();
    seenOperations = operations.getAsLong();
  }
}
