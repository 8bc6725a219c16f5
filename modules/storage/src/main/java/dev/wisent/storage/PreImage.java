package dev.wisent.storage;

/**
 * A document as it was before a change, which an oplog entry of the same mutation describes. The
 * bytes are BSON: {@code {_id: {nsUUID, ts, applyOpsIndex}, operationTime, preImage}}. {@code ts},
 * {@code applyOpsIndex} and {@code operationTime} are at fixed offsets, and {@link OplogSlots}
 * writes them when the entry gets its time. The record id is the timestamp of the entry less the
 * position, so that the time tells where an image is.
 *
 * @param ident of the collection that keeps images
 * @param entry the place of the oplog entry in the mutation
 * @param position of the operation in that entry, which has several in an {@code applyOps}
 */
public record PreImage(int ident, int entry, int position, byte[] document) {
  /** Behind the lengths of both documents, the names and the UUID of 16 bytes. */
  public static final int TIMESTAMP_OFFSET = 46;

  public static final int POSITION_OFFSET = TIMESTAMP_OFFSET + Long.BYTES + 15;
  public static final int WALL_OFFSET = POSITION_OFFSET + Long.BYTES + 16;

  /** The same for an operation that is elsewhere in the entries of its mutation. */
  public PreImage at(int otherEntry, int otherPosition) {
    return new PreImage(ident, otherEntry, otherPosition, document);
  }

  /** The timestamp in the bytes of a stored image. */
  public static long timestamp(byte[] stored) {
    return (long) BatchFormat.LONG_LE.get(stored, TIMESTAMP_OFFSET);
  }

  /** The wall time in the bytes of a stored image. */
  public static long wallMillis(byte[] stored) {
    return (long) BatchFormat.LONG_LE.get(stored, WALL_OFFSET);
  }

  /** The record id of an image. */
  public static long recordId(long timestamp, int position) {
    return timestamp - position;
  }
}
