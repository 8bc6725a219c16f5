package dev.wisent.storage;

/** What a cursor is going to be used for. */
public enum ScanHint {
  /** Seeks and short ranges: blocks read are kept in the cache, read-ahead adapts by itself. */
  RANGE,
  /**
   * A long sequential scan of more data than should displace the cache: large reads from the start,
   * and blocks that were not cached before are not kept.
   */
  BULK
}
