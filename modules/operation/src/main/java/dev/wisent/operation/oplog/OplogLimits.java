package dev.wisent.operation.oplog;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/**
 * How large the oplog may become.
 *
 * @param minRetentionHours entries that are younger stay, whatever the size; 0 for no such rule
 */
public record OplogLimits(long bytesMax, double minRetentionHours) {
  private static final long MEGABYTE = 1 << 20;
  private static final long DEFAULT_MIN_BYTES = 990 * MEGABYTE;
  private static final long DEFAULT_MAX_BYTES = 50 * 1024 * MEGABYTE;

  /** The least that MongoDB takes by default. */
  public static final OplogLimits DEFAULT = new OplogLimits(DEFAULT_MIN_BYTES, 0);

  /** A twentieth of the free space, within reason. */
  public static OplogLimits forFreeSpace(long freeBytes) {
    long part = freeBytes / 20;
    return new OplogLimits(Math.clamp(part, DEFAULT_MIN_BYTES, DEFAULT_MAX_BYTES), 0);
  }

  public static OplogLimits ofMegabytes(long megabytes) {
    return new OplogLimits(megabytes * MEGABYTE, 0);
  }

  public long megabytes() {
    return bytesMax / MEGABYTE;
  }

  public RawDocument encode() {
    return new BsonBuilder()
        .appendInt64("size", bytesMax)
        .appendDouble("minRetentionHours", minRetentionHours)
        .toDocument();
  }

  public static OplogLimits decode(RawDocument stored) {
    RawValue hours = stored.get("minRetentionHours");
    return new OplogLimits(stored.get("size").toLong(), hours == null ? 0 : hours.toDouble());
  }
}
