package dev.wisent.database.output;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Gathers writes, so that many of them are done at once. */
final class Batch<T> {
  private static final int COUNT_MAX = 1000;
  private static final int BYTES_MAX = 1 << 20;

  private final Consumer<List<T>> writer;
  private List<T> gathered = new ArrayList<>();
  private int bytes;

  Batch(Consumer<List<T>> writer) {
    this.writer = writer;
  }

  void add(T write, int length) {
    gathered.add(write);
    bytes += length;
    if (gathered.size() == COUNT_MAX || bytes >= BYTES_MAX) {
      flush();
    }
  }

  void flush() {
    if (!gathered.isEmpty()) {
      List<T> writes = gathered;
      gathered = new ArrayList<>();
      bytes = 0;
      writer.accept(writes);
    }
  }
}
