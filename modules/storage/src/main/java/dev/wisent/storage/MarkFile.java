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
 * A number in a file of its own. The file is memory-mapped: a change is a store, which the death of
 * the process does not undo. The disk has it after {@link #force()}, or when the operating system
 * writes the page.
 */
final class MarkFile implements AutoCloseable {
  private static final ValueLayout.OfLong NUMBER = ValueLayout.JAVA_LONG;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment mark;

  private MarkFile(FileChannel channel) throws IOException {
    mark = channel.map(FileChannel.MapMode.READ_WRITE, 0, NUMBER.byteSize(), arena);
  }

  /** Opens a file, creating it when absent. The number of a new one is 0. */
  static MarkFile open(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      // Real blocks and not a hole: a store into a hole of a full disk would kill the process.
      if (channel.size() < NUMBER.byteSize()) {
        channel.write(ByteBuffer.allocate((int) NUMBER.byteSize()));
        channel.force(true);
      }
      return new MarkFile(channel);
    }
  }

  long get() {
    return mark.get(NUMBER, 0);
  }

  void set(long number) {
    mark.set(NUMBER, 0, number);
  }

  void force() {
    mark.force();
  }

  @Override
  public void close() {
    arena.close();
  }
}
