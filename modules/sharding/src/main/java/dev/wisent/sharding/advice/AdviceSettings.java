package dev.wisent.sharding.advice;

import java.util.Locale;

/**
 * What an advice takes for granted: the answers to the questions that are asked before a shard key
 * is chosen.
 *
 * @param shards how many shards the collection is to grow to
 * @param chunkBytes how large chunks become
 * @param memoryBytes what one shard has for data and indexes
 * @param documents how many the collection has
 * @param documentBytes their mean size
 * @param documentsPerDay how many come in a day
 * @param priority what has to be fast
 */
public record AdviceSettings(
    int shards,
    long chunkBytes,
    long memoryBytes,
    long documents,
    long documentBytes,
    double documentsPerDay,
    Priority priority) {
  private static final int DAYS_OF_A_MONTH = 30;

  /** What the application cares for most. */
  public enum Priority {
    /** A single query should be answered soon: it should be for one shard. */
    LATENCY,
    /** As many operations as possible: all shards should take part in the work. */
    THROUGHPUT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public AdviceSettings {
    if (shards < 1 || chunkBytes < 1 || documents < 0 || documentsPerDay < 0) {
      throw new IllegalArgumentException("settings out of range");
    }
  }

  /** How many documents there are after a month. */
  public double documentsAfterMonth() {
    return documents + documentsPerDay * DAYS_OF_A_MONTH;
  }

  public double bytesAfterMonth() {
    return documentsAfterMonth() * documentBytes;
  }
}
