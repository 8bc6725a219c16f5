package dev.wisent.tools.format;

import java.util.Arrays;

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

  /** Puts the check into a header that has a zero there. */
  static void put(byte[] header, byte[] documents, int length) {
    var crc = new Crc64();
    crc.update(header, 0, header.length);
    crc.update(documents, 0, length);
    LittleEndian.putInt64(header, header.length - FROM_END, crc.value());
  }
}
