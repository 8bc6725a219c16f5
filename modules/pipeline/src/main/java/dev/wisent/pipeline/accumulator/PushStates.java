package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;

/** {@code $push}: all values that are not missing. */
final class PushStates extends ValueStates {
  /** What an array takes beside its bytes. */
  private static final long ARRAY_BYTES = 112;

  /** An array that grows. */
  private static final class Growing {
    private final BsonBuilder out = new BsonBuilder(32);
    private int count;

    void add(RawValue value) {
      out.append(count++, value);
    }

    long bytes() {
      return ARRAY_BYTES + out.bytes().length;
    }

    /** The array without a copy: valid until more is added. */
    RawValue toValue() {
      int end = out.position();
      out.end();
      var array = new RawDocument(out.bytes(), 0, out.position());
      out.truncateToOutermost(end);
      return RawValue.ofArray(array);
    }
  }

  private final StateList<Growing> arrays = new StateList<>();
  private long bytes;

  PushStates(Expression input) {
    super(input);
  }

  @Override
  public void start(int group, RawDocument id) {
    Growing before = arrays.find(group);
    var array = new Growing();
    bytes += array.bytes() - (before == null ? 0 : before.bytes());
    arrays.set(group, array);
  }

  @Override
  public void add(int group, byte type, byte[] from, int offset, int length) {
    if (type != MISSING) {
      push(arrays.get(group), new RawValue(type, from, offset, length));
    }
  }

  private void push(Growing array, RawValue value) {
    long before = array.bytes();
    StateList.checkSize("$push", array.out.position() + (long) value.length());
    array.add(value);
    bytes += array.bytes() - before;
  }

  @Override
  public RawValue result(int group) {
    return arrays.get(group).toValue();
  }

  @Override
  public long bytes() {
    return bytes + arrays.bytes();
  }

  @Override
  public RawValue partial(int group) {
    return result(group);
  }

  @Override
  public void merge(int group, RawValue partial) {
    Growing array = arrays.get(group);
    ElementCursor elements = partial.elements();
    while (elements.next()) {
      push(array, elements.value());
    }
  }
}
