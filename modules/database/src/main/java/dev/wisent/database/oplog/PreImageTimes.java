package dev.wisent.database.oplog;

import dev.wisent.bson.LittleEndian;
import dev.wisent.storage.PreImage;

/**
 * What a document before a change gets from the oplog entry of the change. Its bytes are BSON:
 * {@code {_id: {nsUUID, ts, applyOpsIndex}, operationTime, preImage}}. {@code ts}, {@code
 * applyOpsIndex} and {@code operationTime} are at fixed offsets, and {@link OplogSlots} has them
 * written when the entry gets its time. The record id is the timestamp of the entry less the
 * position, so that the time tells where an image is.
 */
public final class PreImageTimes {
  /** Behind the lengths of both documents, the names and the UUID of 16 bytes. */
  private static final int TIMESTAMP_OFFSET = 46;

  private static final int POSITION_OFFSET = TIMESTAMP_OFFSET + Long.BYTES + 15;
  private static final int WALL_OFFSET = POSITION_OFFSET + Long.BYTES + 16;

  /** With how many bytes at its begin an image tells its times. */
  public static final int HEADER_BYTES = WALL_OFFSET + Long.BYTES;

  private PreImageTimes() {}

  /** Completes an image that is at some place of an array. */
  static void write(byte[] target, int at, PreImage image, long timestamp, long wallMillis) {
    LittleEndian.putInt64(target, at + TIMESTAMP_OFFSET, timestamp);
    LittleEndian.putInt64(target, at + POSITION_OFFSET, image.position());
    LittleEndian.putInt64(target, at + WALL_OFFSET, wallMillis);
  }

  /** The timestamp in the bytes of a stored image. */
  public static long timestamp(byte[] stored) {
    return LittleEndian.int64(stored, TIMESTAMP_OFFSET);
  }

  /** The wall time in the bytes of a stored image. */
  public static long wallMillis(byte[] stored) {
    return LittleEndian.int64(stored, WALL_OFFSET);
  }

  /** The record id of an image. */
  public static long recordId(long timestamp, int position) {
    return timestamp - position;
  }
}
