package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;

/**
 * {@code $first} and {@code $last}: the value of the first or last document, even a missing one.
 */
final class EndStates extends ValueStates {
  private final ValueColumn values = new ValueColumn();
  private final boolean last;

  EndStates(Expression input, boolean last) {
    super(input);
    this.last = last;
  }

  @Override
  public void start(int group, RawDocument id) {
    values.start(group);
  }

  @Override
  public void add(int group, byte type, byte[] bytes, int offset, int length) {
    if (last || !values.has(group)) {
      values.put(group, type, bytes, offset, length);
    }
  }

  @Override
  public RawValue result(int group) {
    return values.get(group);
  }

  @Override
  public long bytes() {
    return values.bytes();
  }

  /** In a document, which is empty where the value is missing. */
  @Override
  public RawValue partial(int group) {
    RawValue value = values.get(group);
    var out = new BsonBuilder();
    return RawValue.ofDocument((value == null ? out : out.append("v", value)).toDocument());
  }

  @Override
  public void merge(int group, RawValue partial) {
    add(group, partial.asDocument().get("v"));
  }
}
