package dev.wisent.server.metrics;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long operations took, in MongoDB's buckets: one for each power of two microseconds, and two
 * between two and two thousand milliseconds, where it matters most. Thread-safe.
 */
public final class LatencyHistogram {
  private static final int BUCKETS = 51;
  private static final int SPLIT_FROM = 11;
  private static final int SPLIT_TO = 21;
  private static final int HALVES = SPLIT_TO - SPLIT_FROM;

  private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);
  private final LongAdder micros = new LongAdder();

  /** Is told of a bucket. */
  public interface BucketReader {
    /**
     * @param index how many buckets came before
     */
    void bucket(int index, long fromMicros, long count);
  }

  void add(long tookMicros) {
    counts.getAndIncrement(bucket(tookMicros));
    micros.add(tookMicros);
  }

  static int bucket(long tookMicros) {
    if (tookMicros <= 0) {
      return 0;
    }
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(tookMicros);
    if (power < SPLIT_FROM) {
      return power;
    }
    if (power < SPLIT_TO) {
      return power + (power - SPLIT_FROM) + (tookMicros >= 3L << (power - 1) ? 1 : 0);
    }
    return Math.min(power + HALVES, BUCKETS - 1);
  }

  static long fromMicros(int bucket) {
    if (bucket <= SPLIT_FROM) {
      return bucket == 0 ? 0 : 1L << bucket;
    }
    if (bucket < SPLIT_TO + HALVES) {
      int power = SPLIT_FROM + (bucket - SPLIT_FROM) / 2;
      return (bucket - SPLIT_FROM) % 2 == 0 ? 1L << power : 3L << (power - 1);
    }
    return 1L << (bucket - HALVES);
  }

  public long micros() {
    return micros.sum();
  }

  public long operations() {
    long sum = 0;
    for (int i = 0; i < BUCKETS; i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  /** Tells of the buckets that have something in them, the quickest first. */
  public void forEachBucket(BucketReader reader) {
    int index = 0;
    for (int i = 0; i < BUCKETS; i++) {
      long count = counts.get(i);
      if (count > 0) {
        reader.bucket(index++, fromMicros(i), count);
      }
    }
  }
}
