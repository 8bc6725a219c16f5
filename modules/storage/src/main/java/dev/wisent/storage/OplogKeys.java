package dev.wisent.storage;

import java.nio.charset.StandardCharsets;

/**
 * Where the oplog is: its entries in {@link Keyspace#OPLOG}, each under its timestamp, and what is
 * known of them as a whole in {@link Keyspace#SYSTEM}.
 */
public final class OplogKeys {
  private static final byte[] ENTRIES = "oplog.entries".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] BYTES = "oplog.bytes".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] LIMITS = "oplog.limits".getBytes(StandardCharsets.US_ASCII);

  private OplogKeys() {}

  /** The key of an entry: its timestamp, big endian. */
  public static byte[] entry(long timestamp) {
    byte[] key = new byte[Long.BYTES];
    RecordKeys.writeRecordId(key, 0, timestamp);
    return key;
  }

  public static long timestamp(byte[] key) {
    return RecordKeys.recordId(key, 0);
  }

  /** How many entries there are (counter). */
  public static byte[] entries() {
    return ENTRIES.clone();
  }

  /** How many bytes they have (counter). */
  public static byte[] bytes() {
    return BYTES.clone();
  }

  /** How large the oplog may become (BSON); missing until it is changed. */
  public static byte[] limits() {
    return LIMITS.clone();
  }
}
