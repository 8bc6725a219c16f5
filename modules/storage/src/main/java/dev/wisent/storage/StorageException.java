package dev.wisent.storage;

/** A storage fault, with a kind to act on and a message meant for the operator. */
public final class StorageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What went wrong, as far as a caller can act on it. */
  public enum Kind {
    /** Another process (or another engine of this one) has the directory open. */
    LOCKED,
    /** The directory cannot be created or written. */
    NOT_WRITABLE,
    /** No space left on the device. */
    FULL,
    /** The change is larger than the log takes; nothing has happened. */
    TOO_LARGE,
    /** The directory was made by another format version, or by another program. */
    FORMAT,
    /** Stored data failed a check. */
    CORRUPT,
    /** Any other input/output fault. */
    IO,
    /** The engine, snapshot or cursor has been closed. */
    CLOSED,
    /** The contents were replaced by those of another member of the replica set; try again. */
    REPLACED
  }

  private final Kind kind;

  public StorageException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public StorageException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  static StorageException replaced(String what) {
    return new StorageException(
        Kind.REPLACED, what + " has got its contents from another member meanwhile");
  }

  static StorageException closed(String what) {
    return new StorageException(Kind.CLOSED, what + " is closed");
  }
}
