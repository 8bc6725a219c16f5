package dev.wisent.tools.backup;

import dev.wisent.tools.command.Interruption;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, in hexadecimal digits. */
final class Digests {
  private static final int BUFFER_BYTES = 1 << 20;

  private Digests() {}

  static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  static String end(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  static String of(byte[] bytes) {
    return HexFormat.of().formatHex(begin().digest(bytes));
  }

  static String of(Path file, Interruption interruption) throws IOException, ToolException {
    return copy(file, OutputStream.nullOutputStream(), interruption);
  }

  /** Copies a file to a stream; returns the digest of what was read. */
  static String copy(Path file, OutputStream out, Interruption interruption)
      throws IOException, ToolException {
    MessageDigest digest = begin();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        interruption.check();
        digest.update(buffer, 0, count);
        out.write(buffer, 0, count);
      }
    }
    return end(digest);
  }
}
