package dev.wisent.pipeline.window;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.accumulator.TopAccumulator;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;

/**
 * {@code $minN}, {@code $maxN}, {@code $top} and their relatives of a window that moves: all its
 * values in order.
 */
final class OrderedState extends WindowState {
  private static final long OVERHEAD_BYTES = 160;

  private final long n;
  private final Shape shape;
  private final TreeSet<Entry> entries;
  private long added;
  private long removed;
  private long bytes;

  /** What is ordered, and what becomes of it. */
  private record Shape(boolean keyed, boolean last, boolean lastFirst, boolean single) {}

  /**
   * A value.
   *
   * @param key what it is ordered by
   * @param sequence when it came
   */
  private record Entry(RawValue key, RawValue output, long sequence) {
    private long bytes() {
      return OVERHEAD_BYTES + key.length() + (output == key ? 0 : output.length());
    }
  }

  private OrderedState(long n, Shape shape, Comparator<Entry> order) {
    this.n = n;
    this.shape = shape;
    this.entries = new TreeSet<>(order.thenComparingLong(Entry::sequence));
  }

  /** The smallest values, the smallest one first. */
  static OrderedState smallest(long n, Collation collation) {
    return new OrderedState(n, new Shape(false, false, false, false), byValue(collation));
  }

  /** The largest values, the largest one first. */
  static OrderedState largest(long n, Collation collation) {
    return new OrderedState(n, new Shape(false, true, true, false), byValue(collation));
  }

  /** Outputs of {@link KeyedOutput} by their keys. */
  static OrderedState keyed(long n, TopAccumulator.Choice choice) {
    return new OrderedState(
        n,
        new Shape(true, choice.isLast(), false, choice.isSingle()),
        (a, b) -> compareKeys(a.key(), b.key()));
  }

  private static Comparator<Entry> byValue(Collation collation) {
    return (a, b) -> Collation.compare(collation, a.key(), b.key());
  }

  /** Keys are binary data whose bytes are in order; before them stand their length and subtype. */
  private static int compareKeys(RawValue a, RawValue b) {
    return Arrays.compareUnsigned(
        a.bytes(),
        a.offset() + 5,
        a.offset() + a.length(),
        b.bytes(),
        b.offset() + 5,
        b.offset() + b.length());
  }

  @Override
  void add(RawValue value) {
    long sequence = added++;
    if (!Values.isNullish(value)) {
      Entry entry = entry(value.detached(), sequence);
      entries.add(entry);
      bytes += entry.bytes();
    }
  }

  @Override
  void remove(ValueQueue values, long number) {
    RawValue value = values.get(number);
    long sequence = removed++;
    if (!Values.isNullish(value)) {
      Entry entry = entry(value, sequence);
      entries.remove(entry);
      bytes -= entry.bytes();
    }
  }

  private Entry entry(RawValue value, long sequence) {
    if (!shape.keyed()) {
      return new Entry(value, value, sequence);
    }
    RawDocument pair = value.asDocument();
    return new Entry(pair.get("0"), pair.get("1"), sequence);
  }

  @Override
  void reset() {
    entries.clear();
    added = 0;
    removed = 0;
    bytes = 0;
  }

  @Override
  RawValue result(ValueQueue values, long from, long to) {
    List<RawValue> chosen = new ArrayList<>();
    Iterator<Entry> order = shape.last() ? entries.descendingIterator() : entries.iterator();
    while (order.hasNext() && chosen.size() < n) {
      chosen.add(order.next().output());
    }
    List<RawValue> shown = shape.last() == shape.lastFirst() ? chosen : chosen.reversed();
    if (!shape.single()) {
      return ArrayBuilder.of(shown);
    }
    return shown.isEmpty() ? RawValue.NULL : shown.getFirst().detached();
  }

  @Override
  long bytes() {
    return bytes;
  }
}
