package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.array.NArguments;
import java.util.List;

/** {@code $minN} and {@code $maxN}: the smallest or largest values that are not null or missing. */
final class ExtremeNStates extends ValueStates {
  private final NAccumulator accumulator;
  private final boolean max;
  private final StateList<ChosenValues> groups = new StateList<>();
  private long bytes;

  ExtremeNStates(NAccumulator accumulator, boolean max) {
    super(accumulator.input());
    this.accumulator = accumulator;
    this.max = max;
  }

  @Override
  public void start(int group, RawDocument id) {
    ChosenValues before = groups.find(group);
    long n = NArguments.count(accumulator.n().evaluate(new Frame(accumulator.meter(), id)));
    Collation collation = accumulator.collation();
    var chosen =
        new ChosenValues(
            accumulator.name(),
            n,
            max,
            (a, b) -> Collation.compare(collation, a.value(), b.value()));
    bytes += chosen.bytes() - (before == null ? 0 : before.bytes());
    groups.set(group, chosen);
  }

  @Override
  public void add(int group, byte type, byte[] from, int offset, int length) {
    if (type == MISSING || type == ElementType.NULL || type == ElementType.UNDEFINED) {
      return;
    }
    ChosenValues chosen = groups.get(group);
    long before = chosen.bytes();
    chosen.add(null, new RawValue(type, from, offset, length));
    bytes += chosen.bytes() - before;
  }

  /** The best first. */
  @Override
  public RawValue result(int group) {
    List<RawValue> values = groups.get(group).inOrder(ChosenValues.Entry::value);
    return ArrayBuilder.of(max ? values.reversed() : values);
  }

  @Override
  public long bytes() {
    return bytes + groups.bytes();
  }

  @Override
  public RawValue partial(int group) {
    return ArrayBuilder.of(groups.get(group).inOrder(ChosenValues.Entry::value));
  }

  @Override
  public void merge(int group, RawValue partial) {
    ElementCursor elements = partial.elements();
    while (elements.next()) {
      add(group, elements.value());
    }
  }
}
