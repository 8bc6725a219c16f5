package dev.wisent.storage;

import dev.wisent.storage.StorageException.Kind;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Turns RocksDB's errors into ours. */
final class RocksErrors {
  private RocksErrors() {}

  static StorageException translate(String action, RocksDBException e) {
    Kind kind = kind(e);
    String detail = e.getMessage() == null ? "unknown cause" : e.getMessage();
    return new StorageException(kind, "Cannot " + action + ": " + reason(kind) + detail, e);
  }

  static Kind kind(RocksDBException e) {
    Status status = e.getStatus();
    String message = String.valueOf(e.getMessage());
    if ((status != null && status.getSubCode() == Status.SubCode.NoSpace)
        || isStop(e)
        || DiskSpace.isFull(message)) {
      return Kind.FULL;
    }
    if (status == null) {
      return Kind.IO;
    }
    return switch (status.getCode()) {
      case Corruption -> Kind.CORRUPT;
      case ShutdownInProgress -> Kind.CLOSED;
      case IOError -> ioKind(message);
      default -> Kind.IO;
    };
  }

  /**
   * Whether RocksDB has stopped writes: it found no room for a compaction that has to come first.
   */
  static boolean isStop(RocksDBException e) {
    return e.getStatus() != null && e.getStatus().getCode() == Status.Code.Incomplete;
  }

  /**
   * RocksDB has no codes for these; the texts come from the operating system and its lock table.
   */
  private static Kind ioKind(String message) {
    if (message.contains("Permission denied") || message.contains("Read-only file system")) {
      return Kind.NOT_WRITABLE;
    }
    if (message.contains("While lock file") || message.contains("lock hold by current process")) {
      return Kind.LOCKED;
    }
    return Kind.IO;
  }

  private static String reason(Kind kind) {
    return switch (kind) {
      case FULL -> "the disk is full. ";
      case CORRUPT -> "stored data is damaged. ";
      case NOT_WRITABLE -> "the data directory is not writable. ";
      case LOCKED -> "the data directory is in use. ";
      case TOO_LARGE, FORMAT, IO, CLOSED, REPLACED -> "";
    };
  }
}
