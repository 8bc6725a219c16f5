package dev.wisent.storage;

import org.rocksdb.ReadOptions;

/**
 * What a cursor is going to be used for.
 *
 * @param bytes how much it may read, roughly
 */
public record ScanHint(long bytes) {
  /** Seeks and short ranges: blocks read are kept in the cache, read-ahead adapts by itself. */
  public static final ScanHint RANGE = new ScanHint(0);

  /**
   * A long sequential scan of more data than should displace the cache: large reads from the start,
   * and blocks that were not cached before are not kept.
   */
  public static final ScanHint BULK = new ScanHint(Long.MAX_VALUE);

  private static final long READAHEAD_BYTES = 1 << 20;

  /** What is read once is likely read again, unless it would take most of the cache. */
  private static final int CACHE_SHARE = 2;

  void prepare(ReadOptions options, long cacheBytes) {
    if (bytes > cacheBytes / CACHE_SHARE) {
      options.setFillCache(false).setReadaheadSize(READAHEAD_BYTES);
    }
  }
}
