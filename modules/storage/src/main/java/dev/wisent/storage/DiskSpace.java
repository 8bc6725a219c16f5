package dev.wisent.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process can tell about the space of a file system. */
public final class DiskSpace {
  /** For what a store writes when it is opened, and to begin with. */
  static final long ROOM_BYTES = 16L << 20;

  private DiskSpace() {}

  /** Whether a store below a directory can be opened. */
  public static boolean hasRoom(Path directory) {
    return usableBytes(directory) >= ROOM_BYTES;
  }

  /** Whether a failure, or what caused it, was a full file system or an exceeded quota. */
  public static boolean isFull(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (isFull(String.valueOf(cause.getMessage()))
          || (cause instanceof StorageException storage
              && storage.kind() == StorageException.Kind.FULL)) {
        return true;
      }
    }
    return false;
  }

  /** Java and RocksDB have no codes for these; the texts come from the operating system. */
  static boolean isFull(String message) {
    return message.contains("No space left on device") || message.contains("Disk quota exceeded");
  }

  /** The bytes that can be written below a directory; 0 if that cannot be told. */
  static long usableBytes(Path directory) {
    try {
      return Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      return 0;
    }
  }
}
