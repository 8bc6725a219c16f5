package dev.wisent.pipeline.join;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import java.util.zip.CRC32C;

/**
 * What stands for a value in a table of those that documents are joined by: its encoding, which is
 * the same for values that are equal. Long ones are cut and a checksum stands for the rest, so that
 * a table of large values does not hold them. Belongs to one thread.
 */
final class JoinKey {
  private static final int WHOLE_BYTES_MAX = 256;
  private static final int CUT_BYTES = 64;

  private final IndexKeyV1.Encoder encoder = new IndexKeyV1.Encoder();
  private final CRC32C crc = new CRC32C();
  private int length;

  /**
   * Goes on to a value; null for one that is missing, which has the key of null.
   *
   * @return whether only what equals the value has this key, and documents with such a value belong
   *     together. Not every document without a value belongs to null.
   */
  boolean set(RawValue value, Collation collation) {
    RawValue given = value == null ? RawValue.NULL : value;
    encoder.reset().append(Collation.key(collation, given), false);
    length = encoder.length();
    if (length > WHOLE_BYTES_MAX) {
      crc.reset();
      crc.update(encoder.bytes(), 0, length);
      LittleEndian.putInt32(encoder.bytes(), CUT_BYTES, (int) crc.getValue());
      length = CUT_BYTES + Integer.BYTES;
      return false;
    }
    return given.type() != ElementType.NULL && given.type() != ElementType.UNDEFINED;
  }

  byte[] bytes() {
    return encoder.bytes();
  }

  int length() {
    return length;
  }
}
