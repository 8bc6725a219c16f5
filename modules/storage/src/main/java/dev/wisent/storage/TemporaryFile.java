package dev.wisent.storage;

import dev.wisent.base.ScratchFile;
import dev.wisent.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A {@link ScratchFile} on disk, which the operating system deletes when it is closed. */
final class TemporaryFile implements ScratchFile {
  private final Path path;
  private final FileChannel channel;
  private long length;

  private TemporaryFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** In the directory of the operating system for such files. */
  static TemporaryFile create() {
    Path directory = Path.of(System.getProperty("java.io.tmpdir"));
    try {
      Path path = Files.createTempFile(directory, "wisent-", null);
      return new TemporaryFile(
          path,
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE));
    } catch (IOException e) {
      throw failure("create", directory, e);
    }
  }

  static TemporaryFile create(Path path) {
    try {
      return new TemporaryFile(
          path,
          FileChannel.open(
              path,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE));
    } catch (IOException e) {
      throw failure("create", path, e);
    }
  }

  private static StorageException failure(String action, Path path, IOException e) {
    boolean full = String.valueOf(e.getMessage()).contains("No space left");
    return new StorageException(
        full ? Kind.FULL : Kind.IO,
        "Cannot %s the temporary file %s: %s%s"
            .formatted(action, path, full ? "the disk is full. " : "", e.getMessage()),
        e);
  }

  @Override
  public void append(byte[] bytes, int offset, int size) {
    var left = ByteBuffer.wrap(bytes, offset, size);
    try {
      while (left.hasRemaining()) {
        length += channel.write(left, length);
      }
    } catch (IOException e) {
      throw failure("write to", path, e);
    }
  }

  @Override
  public void read(long position, byte[] into, int offset, int size) {
    var left = ByteBuffer.wrap(into, offset, size);
    try {
      while (left.hasRemaining()) {
        if (channel.read(left, position + left.position() - offset) < 0) {
          throw new StorageException(
              Kind.CORRUPT, "The temporary file " + path + " is damaged: it ends too early");
        }
      }
    } catch (IOException e) {
      throw failure("read", path, e);
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw failure("delete", path, e);
    }
  }
}
