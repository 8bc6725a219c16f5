package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;
import java.util.ArrayList;
import java.util.List;

/**
 * States of {@code mapReduce}: the values of a key, reduced to one whenever there are many of them.
 * A single value is not reduced at all, as in MongoDB.
 */
final class ReduceStates extends AccumulatorStates {
  private static final int VALUES_MAX = 500;
  private static final long BYTES_MAX = 1 << 20;

  /** What a value takes beside its bytes. */
  private static final long VALUE_BYTES = 56;

  /** The values of a key that are not reduced yet. */
  private static final class Gathered {
    private RawValue key = RawValue.NULL;
    private final List<RawValue> values = new ArrayList<>(2);
    private long bytes;
  }

  private final ReduceAccumulator accumulator;
  private final StateList<Gathered> states = new StateList<>();
  private long bytes;

  ReduceStates(ReduceAccumulator accumulator) {
    this.accumulator = accumulator;
  }

  @Override
  public void start(int group, RawDocument id) {
    Gathered before = states.find(group);
    bytes += VALUE_BYTES - (before == null ? 0 : VALUE_BYTES + before.bytes);
    states.set(group, new Gathered());
  }

  @Override
  public void add(int group, Frame frame) {
    Gathered state = states.get(group);
    if (state.values.isEmpty()) {
      state.key = Values.nullIfMissing(accumulator.key().evaluate(frame)).detached();
    }
    add(state, Values.nullIfMissing(accumulator.value().evaluate(frame)).detached());
  }

  private void add(Gathered state, RawValue value) {
    hold(state, value);
    if (state.values.size() >= VALUES_MAX || state.bytes > BYTES_MAX) {
      reduce(state);
    }
  }

  private void hold(Gathered state, RawValue value) {
    state.values.add(value);
    state.bytes += VALUE_BYTES + value.length();
    bytes += VALUE_BYTES + value.length();
  }

  private RawValue reduce(Gathered state) {
    if (state.values.size() > 1) {
      var array = new BsonBuilder();
      for (int i = 0; i < state.values.size(); i++) {
        array.append(i, state.values.get(i));
      }
      RawValue all = RawValue.ofArray(array.toDocument());
      RawValue reduced = accumulator.reduce().call(List.of(state.key, all, accumulator.scope()));
      bytes -= state.bytes;
      state.bytes = 0;
      state.values.clear();
      hold(state, Values.nullIfMissing(reduced).detached());
    }
    return state.values.isEmpty() ? RawValue.NULL : state.values.getFirst();
  }

  @Override
  public RawValue result(int group) {
    return reduce(states.get(group));
  }

  @Override
  public long bytes() {
    return bytes + states.bytes();
  }

  @Override
  public RawValue partial(int group) {
    Gathered state = states.get(group);
    RawValue reduced = reduce(state);
    return RawValue.ofDocument(
        new BsonBuilder().append("k", state.key).append("v", reduced).toDocument());
  }

  @Override
  public void merge(int group, RawValue partial) {
    Gathered state = states.get(group);
    state.key = partial.asDocument().get("k").detached();
    add(state, partial.asDocument().get("v").detached());
  }
}
