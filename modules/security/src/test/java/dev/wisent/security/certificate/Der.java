package dev.wisent.security.certificate;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes ASN.1 in DER, as far as certificates need it. */
final class Der {
  static final int SEQUENCE = 0x30;
  static final int SET = 0x31;
  static final int OCTETS = 0x04;
  static final int BITS = 0x03;
  static final int CONTEXT_0 = 0xa0;
  static final int CONTEXT_3 = 0xa3;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private Der() {}

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
    } else {
      out.write(0x82);
      out.write(length >> 8);
      out.write(length);
    }
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }

  static byte[] number(BigInteger value) {
    return of(0x02, value.toByteArray());
  }

  static byte[] bool(boolean value) {
    return of(0x01, new byte[] {(byte) (value ? 0xff : 0)});
  }

  static byte[] bits(byte[] value) {
    return of(BITS, new byte[1], value);
  }

  static byte[] text(String value) {
    return of(0x0c, value.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] time(Instant time) {
    return of(0x18, TIME.format(time).getBytes(StandardCharsets.US_ASCII));
  }

  /** An object identifier such as {@code 2.5.29.17}. */
  static byte[] id(String dotted) {
    String[] parts = dotted.split("\\.");
    var out = new ByteArrayOutputStream();
    out.write(Integer.parseInt(parts[0]) * 40 + Integer.parseInt(parts[1]));
    for (int i = 2; i < parts.length; i++) {
      long arc = Long.parseLong(parts[i]);
      for (int shift = 28; shift > 0; shift -= 7) {
        if (arc >>> shift != 0) {
          out.write((int) ((arc >>> shift) & 0x7f) | 0x80);
        }
      }
      out.write((int) (arc & 0x7f));
    }
    return of(0x06, out.toByteArray());
  }
}
