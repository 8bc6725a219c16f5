package dev.wisent.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What tells a table file from all others without reading it as a whole. Such a file is written
 * once and never changed. It ends with its properties, among which are the session of the store
 * that wrote it and its number there; the identity is a digest of its end and its length. The name
 * alone says little: the contents of a member can be replaced by those of another one, which has
 * given the same numbers to other files.
 */
public final class TableFileIdentity {
  /** Properties and what follows them take less than 2 KiB. */
  private static final int END_BYTES = 8 << 10;

  private static final int IDENTITY_BYTES = 20;
  private static final String SUFFIX = ".sst";

  private TableFileIdentity() {}

  /** The identity of a file, in hexadecimal digits; empty for files that can change. */
  public static Optional<String> of(Path file) throws IOException {
    if (!file.getFileName().toString().endsWith(SUFFIX)) {
      return Optional.empty();
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      ByteBuffer end = ByteBuffer.allocate((int) Math.min(END_BYTES, size));
      long at = size - end.remaining();
      while (end.hasRemaining()) {
        int count = channel.read(end, at);
        if (count < 0) {
          throw new IOException(file + " has become shorter");
        }
        at += count;
      }
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update((size + "\n").getBytes(StandardCharsets.US_ASCII));
      digest.update(end.flip());
      return Optional.of(HexFormat.of().formatHex(digest.digest(), 0, IDENTITY_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
