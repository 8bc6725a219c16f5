package dev.wisent.replication.secret;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;

/** As much of ASN.1's distinguished encoding as a certificate takes. */
final class Der {
  static final int INTEGER = 0x02;
  static final int BIT_STRING = 0x03;
  static final int OCTET_STRING = 0x04;
  static final int OBJECT_IDENTIFIER = 0x06;
  static final int UTF8_STRING = 0x0c;
  static final int UTC_TIME = 0x17;
  static final int GENERALIZED_TIME = 0x18;
  static final int SEQUENCE = 0x30;
  static final int SET = 0x31;

  private Der() {}

  static int tagged(int number) {
    return 0xa0 | number;
  }

  /** A value with its tag and its length. */
  static byte[] of(int tag, byte[]... parts) {
    var content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    var out = new ByteArrayOutputStream();
    out.write(tag);
    int length = content.size();
    if (length < 0x80) {
      out.write(length);
    } else if (length < 0x100) {
      out.write(0x81);
      out.write(length);
    } else if (length < 0x1_0000) {
      out.write(0x82);
      out.write(length >> 8);
      out.write(length);
    } else {
      throw new IllegalArgumentException("Too long for a certificate: " + length);
    }
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }

  /** An identifier as {@code 2.25.number}, the arc in which a UUID is a number. */
  static byte[] uuidIdentifier(BigInteger uuid) {
    int digits = (uuid.bitLength() + 6) / 7;
    byte[] content = new byte[1 + digits];
    content[0] = 2 * 40 + 25;
    for (int i = 0; i < digits; i++) {
      int digit = uuid.shiftRight(7 * (digits - 1 - i)).intValue() & 0x7f;
      content[1 + i] = (byte) (i < digits - 1 ? digit | 0x80 : digit);
    }
    return of(OBJECT_IDENTIFIER, content);
  }

  /** What an octet string contains; null if the bytes are none. */
  static byte[] octets(byte[] encoded) {
    ByteBuffer in = ByteBuffer.wrap(encoded);
    if (in.remaining() < 2 || in.get() != OCTET_STRING) {
      return null;
    }
    int length = in.get() & 0xff;
    if (length >= 0x80) {
      int bytes = length & 0x7f;
      if (bytes > 2 || in.remaining() < bytes) {
        return null;
      }
      length = 0;
      for (int i = 0; i < bytes; i++) {
        length = (length << 8) | (in.get() & 0xff);
      }
    }
    if (length != in.remaining()) {
      return null;
    }
    byte[] content = new byte[length];
    in.get(content);
    return content;
  }
}
