package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.sort.SortKeyGenerator;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;
import dev.wisent.query.expression.array.NArguments;
import java.util.Arrays;
import java.util.List;

/** States of {@code $top} and its relatives. */
final class TopStates extends AccumulatorStates {
  private static final byte BINARY_GENERIC = 0;

  private final TopAccumulator accumulator;
  private final SortKeyGenerator keys;
  private final StateList<ChosenValues> groups = new StateList<>();
  private long bytes;

  TopStates(TopAccumulator accumulator) {
    this.accumulator = accumulator;
    this.keys = new SortKeyGenerator(accumulator.sortBy());
  }

  @Override
  public void start(int group, RawDocument id) {
    ChosenValues before = groups.find(group);
    long n = NArguments.count(accumulator.n().evaluate(new Frame(accumulator.meter(), id)));
    var chosen =
        new ChosenValues(
            accumulator.name(),
            n,
            accumulator.choice().isLast(),
            (a, b) -> Arrays.compareUnsigned(a.key(), b.key()));
    bytes += chosen.bytes() - (before == null ? 0 : before.bytes());
    groups.set(group, chosen);
  }

  @Override
  public void add(int group, Frame frame) {
    RawValue output = Values.nullIfMissing(accumulator.output().evaluate(frame));
    add(group, keys.key(frame.root()), output);
  }

  private void add(int group, byte[] key, RawValue output) {
    ChosenValues chosen = groups.get(group);
    long before = chosen.bytes();
    chosen.add(key, output);
    bytes += chosen.bytes() - before;
  }

  @Override
  public RawValue result(int group) {
    List<RawValue> values = groups.get(group).inOrder(ChosenValues.Entry::value);
    if (!accumulator.choice().isSingle()) {
      return ArrayBuilder.of(values);
    }
    return values.isEmpty() ? RawValue.NULL : values.getFirst();
  }

  @Override
  public long bytes() {
    return bytes + groups.bytes();
  }

  /** Keys and values by turns. */
  @Override
  public RawValue partial(int group) {
    var out = new BsonBuilder();
    for (ChosenValues.Entry entry : groups.get(group).inOrder(entry -> entry)) {
      out.appendBinary("k", BINARY_GENERIC, entry.key()).append("v", entry.value());
    }
    return RawValue.ofDocument(out.toDocument());
  }

  @Override
  public void merge(int group, RawValue partial) {
    ElementCursor elements = partial.elements();
    while (elements.next()) {
      assert elements.type() == ElementType.BINARY : "no key";
      int from = elements.valueOffset() + 5;
      int length = LittleEndian.int32(elements.bytes(), elements.valueOffset());
      byte[] key = Arrays.copyOfRange(elements.bytes(), from, from + length);
      elements.next();
      add(group, key, elements.value());
    }
  }
}
