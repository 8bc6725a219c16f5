package dev.wisent.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The sequence number up to which changes are known to be on disk, in a file of its own beside the
 * log. Recovery ends at the first record of the log that cannot be read, which is normal for the
 * last ones before a crash; when it ends before this number, the log was damaged later.
 *
 * <p>The file is memory-mapped: advancing it is a store, survives the death of the process, and
 * reaches the disk some time after the log that it speaks of, never before.
 */
final class SyncMark implements AutoCloseable {
  static final String FILE = "wisent.synced";

  private static final ValueLayout.OfLong SEQUENCE = ValueLayout.JAVA_LONG;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment mark;

  private SyncMark(FileChannel channel) throws IOException {
    mark = channel.map(FileChannel.MapMode.READ_WRITE, 0, SEQUENCE.byteSize(), arena);
  }

  /** Opens the mark of a database, which exists. A new one is 0. */
  static SyncMark open(Path database) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            database.resolve(FILE),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      // Real blocks and not a hole: a store into a hole of a full disk would kill the process.
      if (channel.size() < SEQUENCE.byteSize()) {
        channel.write(ByteBuffer.allocate((int) SEQUENCE.byteSize()));
        channel.force(true);
      }
      return new SyncMark(channel);
    }
  }

  long sequence() {
    return mark.get(SEQUENCE, 0);
  }

  /** Everything up to this number is on disk. One thread at a time calls this. */
  void advance(long sequence) {
    if (sequence > sequence()) {
      mark.set(SEQUENCE, 0, sequence);
    }
  }

  /** Goes back to what is really there, after the loss was accepted. */
  void reset(long sequence) {
    mark.set(SEQUENCE, 0, sequence);
    mark.force();
  }

  @Override
  public void close() {
    arena.close();
  }
}
