package dev.wisent.pipeline.accumulator;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;
import java.util.ArrayList;
import java.util.List;

/** States of {@code $accumulator}: whatever its functions return. */
final class ScriptStates extends AccumulatorStates {
  /** What a state takes beside its bytes. */
  private static final long STATE_BYTES = 48;

  private final ScriptAccumulator accumulator;
  private final StateList<RawValue> states = new StateList<>();
  private long bytes;

  ScriptStates(ScriptAccumulator accumulator) {
    this.accumulator = accumulator;
  }

  @Override
  public void start(int group, RawDocument id) {
    RawValue arguments =
        requireArray(
            "initArgs",
            ErrorCode.ACCUMULATOR_INIT_ARGS_TYPE,
            accumulator.initArgs().evaluate(new Frame(accumulator.meter(), id)));
    RawValue before = states.find(group);
    bytes -= before == null ? 0 : STATE_BYTES + before.length();
    put(group, accumulator.init().script().call(List.of(ArrayBuilder.elements(arguments))));
  }

  private static RawValue requireArray(String name, ErrorCode code, RawValue arguments) {
    if (arguments == null || !arguments.isArray()) {
      throw new CommandException(
          code, "$accumulator " + name + " must evaluate to an array: " + Values.text(arguments));
    }
    return arguments;
  }

  private void put(int group, RawValue state) {
    RawValue kept = Values.nullIfMissing(state).detached();
    states.set(group, kept);
    bytes += STATE_BYTES + kept.length();
  }

  private void replace(int group, RawValue state) {
    bytes -= STATE_BYTES + states.get(group).length();
    put(group, state);
  }

  @Override
  public void add(int group, Frame frame) {
    RawValue arguments =
        requireArray(
            "accumulateArgs",
            ErrorCode.ACCUMULATOR_ARGS_TYPE,
            accumulator.accumulateArgs().evaluate(frame));
    var all = new ArrayList<RawValue>();
    all.add(states.get(group));
    all.addAll(List.of(ArrayBuilder.elements(arguments)));
    replace(group, accumulator.accumulate().script().call(all));
  }

  @Override
  public RawValue result(int group) {
    RawValue state = states.get(group);
    return accumulator.finish() == null
        ? state
        : accumulator.finish().script().call(List.of(state));
  }

  @Override
  public long bytes() {
    return bytes + states.bytes();
  }

  @Override
  public RawValue partial(int group) {
    return states.get(group);
  }

  @Override
  public void merge(int group, RawValue partial) {
    replace(group, accumulator.merge().script().call(List.of(states.get(group), partial)));
  }
}
