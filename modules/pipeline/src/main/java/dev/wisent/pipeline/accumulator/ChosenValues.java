package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The first or the last of values in some order, and no more than asked for. Of values that are
 * equal in the order those that came first stay.
 */
final class ChosenValues {
  /** What a value takes beside its bytes. */
  private static final long VALUE_BYTES = 144;

  /**
   * A value.
   *
   * @param key what it is ordered by; null where that is itself
   * @param sequence when it came
   */
  record Entry(byte[] key, RawValue value, long sequence) {
    private long bytes() {
      return VALUE_BYTES + value.length() + (key == null ? 0 : key.length);
    }
  }

  private final String name;
  private final long limit;
  private final boolean last;
  private final Comparator<Entry> order;
  private final TreeSet<Entry> entries;
  private long sequence;
  private long bytes;

  /**
   * @param name of the accumulator, for errors
   * @param last whether the last in the order are wanted
   */
  ChosenValues(String name, long limit, boolean last, Comparator<Entry> order) {
    this.name = name;
    this.limit = limit;
    this.last = last;
    this.order = order;
    this.entries = new TreeSet<>(order.thenComparingLong(Entry::sequence));
  }

  /** Takes a value, copying it, if it is among those wanted. */
  void add(byte[] key, RawValue value) {
    var probe = new Entry(key, value, sequence++);
    if (entries.size() == limit) {
      Entry worst = last ? latestOfFirst() : entries.last();
      int comparison = order.compare(probe, worst);
      if (last ? comparison <= 0 : comparison >= 0) {
        return;
      }
      entries.remove(worst);
      bytes -= worst.bytes();
    }
    var entry = new Entry(key, value.copied(), probe.sequence());
    entries.add(entry);
    bytes += entry.bytes();
    StateList.checkSize(name, bytes);
  }

  /** Of those that are first in the order the one that came last. */
  private Entry latestOfFirst() {
    Entry first = entries.first();
    return entries.floor(new Entry(first.key, first.value, Long.MAX_VALUE));
  }

  /** All in order. */
  <T> List<T> inOrder(Function<Entry, T> form) {
    var all = new ArrayList<T>(entries.size());
    entries.forEach(entry -> all.add(form.apply(entry)));
    return all;
  }

  long bytes() {
    return VALUE_BYTES + bytes;
  }
}
