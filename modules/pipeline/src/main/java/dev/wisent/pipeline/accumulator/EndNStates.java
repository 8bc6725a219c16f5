package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.array.NArguments;
import java.util.ArrayDeque;

/** {@code $firstN} and {@code $lastN}: the values of the first or last documents. */
final class EndNStates extends ValueStates {
  /** What a value takes beside its bytes. */
  private static final long VALUE_BYTES = 56;

  private static final class Ends {
    private final long n;
    private final ArrayDeque<RawValue> values = new ArrayDeque<>(2);
    private long bytes = VALUE_BYTES;

    Ends(long n) {
      this.n = n;
    }
  }

  private final NAccumulator accumulator;
  private final boolean last;
  private final StateList<Ends> groups = new StateList<>();
  private long bytes;

  EndNStates(NAccumulator accumulator, boolean last) {
    super(accumulator.input());
    this.accumulator = accumulator;
    this.last = last;
  }

  @Override
  public void start(int group, RawDocument id) {
    Ends before = groups.find(group);
    bytes -= before == null ? 0 : before.bytes;
    var ends =
        new Ends(NArguments.count(accumulator.n().evaluate(new Frame(accumulator.meter(), id))));
    groups.set(group, ends);
    bytes += ends.bytes;
  }

  /** A missing value is null. */
  @Override
  public void add(int group, byte type, byte[] from, int offset, int length) {
    Ends ends = groups.get(group);
    if (!last && ends.values.size() == ends.n) {
      return;
    }
    long before = ends.bytes;
    if (ends.values.size() == ends.n) {
      ends.bytes -= VALUE_BYTES + ends.values.removeFirst().length();
    }
    ends.values.add(
        type == MISSING ? RawValue.NULL : new RawValue(type, from, offset, length).copied());
    ends.bytes += VALUE_BYTES + length;
    bytes += ends.bytes - before;
    StateList.checkSize(accumulator.name(), ends.bytes);
  }

  @Override
  public RawValue result(int group) {
    return ArrayBuilder.of(groups.get(group).values);
  }

  @Override
  public long bytes() {
    return bytes + groups.bytes();
  }

  @Override
  public RawValue partial(int group) {
    return result(group);
  }

  @Override
  public void merge(int group, RawValue partial) {
    ElementCursor elements = partial.elements();
    while (elements.next()) {
      add(group, elements.value());
    }
  }
}
