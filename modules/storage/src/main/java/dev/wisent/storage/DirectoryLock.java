package dev.wisent.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps a store that is written to and stores that are read only apart. RocksDB locks its file
 * {@code LOCK} when it opens a database to write, and nothing when it opens one to read: a reader
 * locks that file here, for sharing. RocksDB's lock belongs to the process, so two engines of one
 * process do not see each other by it; for them {@code wisent.lock} is locked, too.
 */
final class DirectoryLock implements AutoCloseable {
  private static final String ROCKSDB_LOCK_FILE = "LOCK";

  private final List<FileChannel> channels = new ArrayList<>();

  private DirectoryLock() {}

  /** For an engine that writes, before RocksDB takes its own lock. */
  static DirectoryLock exclusive(DataDirectory directory) throws IOException {
    var lock = new DirectoryLock();
    Path file = directory.root().resolve(DataDirectory.LOCK_FILE);
    lock.take(directory, file, false, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    return lock;
  }

  /**
   * For an engine that only reads.
   *
   * @param database where the database is that it reads
   */
  static DirectoryLock shared(DataDirectory directory, Path database) throws IOException {
    var lock = new DirectoryLock();
    try {
      // In this order: to close a file ends RocksDB's lock of it in this process.
      lock.takeExisting(directory, directory.root().resolve(DataDirectory.LOCK_FILE));
      lock.takeExisting(directory, directory.root().resolve(ContentsSwitch.LOCK_FILE));
      lock.takeExisting(directory, database.resolve(ROCKSDB_LOCK_FILE));
      return lock;
    } catch (IOException | StorageException e) {
      lock.close();
      throw e;
    }
  }

  private void takeExisting(DataDirectory directory, Path file) throws IOException {
    if (Files.exists(file)) {
      take(directory, file, true, StandardOpenOption.READ);
    }
  }

  private void take(DataDirectory directory, Path file, boolean shared, OpenOption... options)
      throws IOException {
    FileChannel channel = FileChannel.open(file, options);
    FileLock lock = null;
    try {
      lock = channel.tryLock(0, Long.MAX_VALUE, shared);
    } catch (OverlappingFileLockException e) {
      // Another engine of this process: told in the same way.
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    if (lock == null) {
      throw directory.locked(null);
    }
    channels.add(channel);
  }

  @Override
  public void close() {
    for (FileChannel channel : channels) {
      try {
        channel.close();
      } catch (IOException e) {
        // The lock ends with the process at the latest.
      }
    }
  }
}
