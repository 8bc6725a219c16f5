package dev.wisent.tools.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bson.BsonType;

/**
 * The check of one block of an archive: a CRC of its header and its documents, which is the last
 * field of the header. There it counts as zero.
 */
final class BlockCheck {
  static final String FIELD = "blockCRC";

  /** Before the end of the header: the number, and the zero byte of the document. */
  private static final int FROM_END = 9;

  private final Crc64 crc = new Crc64();
  private final long expected;

  /** Begins with the header of a block that is read. */
  BlockCheck(byte[] header) {
    expected = LittleEndian.int64(header, header.length - FROM_END);
    byte[] zeroed = header.clone();
    Arrays.fill(zeroed, header.length - FROM_END, header.length - 1, (byte) 0);
    crc.update(zeroed, 0, zeroed.length);
  }

  void update(byte[] document) {
    crc.update(document, 0, document.length);
  }

  boolean isRight() {
    return crc.value() == expected;
  }

  @Override
  public String toString() {
    return "the block has the check %016x, and should have %016x".formatted(crc.value(), expected);
  }

  /** Whether a document ends with a check, however damaged the fields before it are. */
  static boolean isLast(byte[] document, String field) {
    byte[] name = field.getBytes(StandardCharsets.US_ASCII);
    int end = document.length - FROM_END - 1;
    int begin = end - name.length;
    return begin > 0
        && document[begin - 1] == BsonType.INT64.getValue()
        && document[end] == 0
        && Arrays.equals(document, begin, end, name, 0, name.length);
  }

  /** Puts the check into a header that has a zero there. */
  static void put(byte[] header, byte[] documents, int length) {
    var crc = new Crc64();
    crc.update(header, 0, header.length);
    crc.update(documents, 0, length);
    LittleEndian.putInt64(header, header.length - FROM_END, crc.value());
  }
}
