package dev.wisent.storage;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Several sources of sorted entries as one. */
final class MergedEntries implements SortedEntries {
  private final List<SortedEntries> sources;
  private final PriorityQueue<SortedEntries> byKey =
      new PriorityQueue<>(Comparator.comparing(SortedEntries::key, Arrays::compareUnsigned));
  private SortedEntries current;
  private boolean started;

  MergedEntries(List<SortedEntries> sources) {
    this.sources = sources;
  }

  @Override
  public boolean next() {
    if (!started) {
      started = true;
      sources.forEach(this::advance);
    } else if (current != null) {
      advance(current);
    }
    current = byKey.poll();
    return current != null;
  }

  private void advance(SortedEntries source) {
    if (source.next()) {
      byKey.add(source);
    }
  }

  @Override
  public byte[] key() {
    return current.key();
  }

  @Override
  public byte[] value() {
    return current.value();
  }

  @Override
  public void close() {
    sources.forEach(SortedEntries::close);
  }
}
