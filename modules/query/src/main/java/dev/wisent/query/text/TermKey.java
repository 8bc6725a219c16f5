package dev.wisent.query.text;

import dev.wisent.bson.RawValue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A term as it stands in the keys of an index: of a long one the beginning and a hash. */
public final class TermKey {
  private static final int PREFIX_BYTES = 224;

  private TermKey() {}

  public static RawValue of(String term) {
    if (term.length() <= PREFIX_BYTES / 3) {
      return RawValue.ofString(term);
    }
    byte[] utf8 = term.getBytes(StandardCharsets.UTF_8);
    if (utf8.length <= PREFIX_BYTES) {
      return RawValue.ofString(term);
    }
    int end = PREFIX_BYTES;
    while ((utf8[end] & 0xC0) == 0x80) {
      end--;
    }
    String prefix = new String(utf8, 0, end, StandardCharsets.UTF_8);
    return RawValue.ofString(prefix + HexFormat.of().formatHex(md5(utf8)));
  }

  private static byte[] md5(byte[] bytes) {
    try {
      return MessageDigest.getInstance("MD5").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has MD5", e);
    }
  }
}
