package dev.wisent.storage;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The sequence number up to which changes are known to be on disk, in a file of its own beside the
 * log. Recovery ends at the first record of the log that cannot be read, which is normal for the
 * last ones before a crash; when it ends before this number, the log was damaged later.
 *
 * <p>The number reaches the disk some time after the log that it speaks of, never before.
 */
final class SyncMark implements AutoCloseable {
  static final String FILE = "wisent.synced";

  private final MarkFile mark;

  private SyncMark(MarkFile mark) {
    this.mark = mark;
  }

  /** Opens the mark of a database, which exists. A new one is 0. */
  static SyncMark open(Path database) throws IOException {
    return new SyncMark(MarkFile.open(database.resolve(FILE)));
  }

  long sequence() {
    return mark.get();
  }

  /** Everything up to this number is on disk. One thread at a time calls this. */
  void advance(long sequence) {
    if (sequence > sequence()) {
      mark.set(sequence);
    }
  }

  /** Goes back to what is really there, after the loss was accepted. */
  void reset(long sequence) {
    mark.set(sequence);
    mark.force();
  }

  @Override
  public void close() {
    mark.close();
  }
}
