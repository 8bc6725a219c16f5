package dev.wisent.security.scram;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The text of payloads: attributes, separated by commas. */
final class ScramText {
  private static final int NONCE_LENGTH_MIN = 4;

  private ScramText() {}

  static String decode(byte[] payload) throws ScramException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString();
    } catch (CharacterCodingException e) {
      throw new ScramException("The SCRAM payload is not UTF-8");
    }
  }

  static byte[] encode(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The value of the attribute at a place; fails if another one is there, or none. */
  static String attribute(String[] parts, int index, char name) throws ScramException {
    if (index >= parts.length) {
      throw new ScramException(
          "Incorrect number of arguments for SCRAM message, got " + parts.length);
    }
    String part = parts[index];
    if (part.length() < 3 || part.charAt(0) != name || part.charAt(1) != '=') {
      throw new ScramException("Invalid SCRAM attribute, expected " + name);
    }
    return part.substring(2);
  }

  static String nonce(String[] parts, int index) throws ScramException {
    String nonce = attribute(parts, index, 'r');
    if (nonce.length() < NONCE_LENGTH_MIN) {
      throw new ScramException("Invalid SCRAM nonce");
    }
    return nonce;
  }

  static byte[] base64(String text) throws ScramException {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new ScramException("SCRAM attribute is not base64");
    }
  }

  static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  static String escape(String user) {
    return user.replace("=", "=3D").replace(",", "=2C");
  }

  /** Any {@code =} that is not an escape is left, as MongoDB does. */
  static String unescape(String user) {
    return user.replace("=2C", ",").replace("=3D", "=");
  }
}
