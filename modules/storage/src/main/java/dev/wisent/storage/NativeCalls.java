package dev.wisent.storage;

import org.rocksdb.RocksDBException;

/** Runs RocksDB's calls while the store is open, and turns its errors into ours. Thread-safe. */
final class NativeCalls {
  interface Call {
    void run() throws RocksDBException;
  }

  interface Read<T> {
    T run() throws RocksDBException;
  }

  private final UseGuard guard;
  private final FullDisk fullDisk;

  NativeCalls(UseGuard guard, FullDisk fullDisk) {
    this.guard = guard;
    this.fullDisk = fullDisk;
  }

  void call(String action, Call body) {
    read(
        action,
        () -> {
          body.run();
          return null;
        });
  }

  /** As {@link #call}, for what fails for good when it finds the disk full. */
  void change(String action, Call body) {
    call(
        action,
        () -> {
          try {
            body.run();
          } catch (RocksDBException e) {
            throw fullDisk.note(RocksErrors.translate(action, e));
          }
        });
  }

  <T> T read(String action, Read<T> body) {
    guard.enter();
    try {
      return body.run();
    } catch (RocksDBException e) {
      // Closing cuts long operations short; they fail with whatever RocksDB makes of it.
      throw guard.isClosed() ? guard.exception() : RocksErrors.translate(action, e);
    } finally {
      guard.exit();
    }
  }
}
