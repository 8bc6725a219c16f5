package dev.wisent.cluster.shard.migration;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * How long a migration or another copy pauses between two batches, so that clients do not notice
 * it: the mean time of their operations meanwhile is compared with that before. A pause is a
 * multiple of the time that the batch took: as long as there are clients at least as long. The
 * multiple doubles while operations are slower than before, up to a bound, and halves otherwise.
 * Thread-safe.
 */
public final class ForegroundPace {
  /** A migration has at least so small a part of the time. */
  static final int MULTIPLE_MAX = 16;

  static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  /** Fewer operations than this say nothing. */
  private static final long OPERATIONS_MIN = 20;

  /** How much slower than before operations may become. */
  private static final double SLOWER_MAX = 1.2;

  /** Operations that became slower by less than this are not slow: it is noise. */
  private static final double SLOWER_MICROS_MIN = 50;

  /** The weight of the newest sample among those before a migration. */
  private static final double NEWEST_PART = 0.2;

  /** Of a sample during a migration: clients may have come to ask for more, or for other things. */
  private static final double DISTURBED_PART = 0.001;

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
  private int multiple;
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
        multiple = 0;
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

  /** How long to pause after a batch that took so long. */
  public long pauseNanos(long batchNanos) {
    lock.lock();
    try {
      disturbed = true;
      disturbedNanos = nanos.getAsLong();
      double mean = mean();
      if (mean < 0) {
        multiple /= 2;
      } else {
        multiple = isSlow(mean) ? Math.min(MULTIPLE_MAX, 2 * multiple) : multiple / 2;
        multiple = Math.max(1, multiple);
        quietMicros = quietMicros < 0 ? -1 : quietMicros + DISTURBED_PART * (mean - quietMicros);
      }
      return Math.min(PAUSE_NANOS_MAX, multiple * batchNanos);
    } finally {
      lock.unlock();
    }
  }

  private boolean isSlow(double mean) {
    return quietMicros >= 0
        && mean > SLOWER_MAX * quietMicros
        && mean > quietMicros + SLOWER_MICROS_MIN;
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
