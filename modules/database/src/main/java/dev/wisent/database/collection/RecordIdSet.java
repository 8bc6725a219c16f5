package dev.wisent.database.collection;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * A set of record ids, a bit for each: those that are given out one after the other share a page.
 * For one thread at a time.
 */
public final class RecordIdSet {
  private static final int PAGE_BITS_LOG = 12;
  private static final int PAGE_LONGS = (1 << PAGE_BITS_LOG) / Long.SIZE;

  private final TreeMap<Long, long[]> pages = new TreeMap<>();
  private long size;

  public void add(long recordId) {
    long[] page = pages.computeIfAbsent(recordId >>> PAGE_BITS_LOG, number -> new long[PAGE_LONGS]);
    int word = (int) (recordId >>> 6) & (PAGE_LONGS - 1);
    long bit = 1L << recordId;
    if ((page[word] & bit) == 0) {
      page[word] |= bit;
      size++;
    }
  }

  public void addAll(RecordIdSet others) {
    others.forEach(this::add);
  }

  public long size() {
    return size;
  }

  public void clear() {
    pages.clear();
    size = 0;
  }

  /** In ascending order. */
  public void forEach(LongConsumer consumer) {
    for (Map.Entry<Long, long[]> entry : pages.entrySet()) {
      long first = entry.getKey() << PAGE_BITS_LOG;
      long[] page = entry.getValue();
      for (int word = 0; word < page.length; word++) {
        for (long rest = page[word]; rest != 0; rest &= rest - 1) {
          consumer.accept(first + (long) word * Long.SIZE + Long.numberOfTrailingZeros(rest));
        }
      }
    }
  }
}
