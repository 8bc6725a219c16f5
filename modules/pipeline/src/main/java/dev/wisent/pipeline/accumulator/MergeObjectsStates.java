package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.object.FieldMap;

/** {@code $mergeObjects}: the fields of all documents, of each the last value. */
final class MergeObjectsStates extends ValueStates {
  private final StateList<FieldMap> maps = new StateList<>();
  private long bytes;

  MergeObjectsStates(Expression input) {
    super(input);
  }

  @Override
  public void start(int group, RawDocument id) {
    FieldMap before = maps.find(group);
    bytes -= before == null ? 0 : before.bytes();
    maps.set(group, new FieldMap());
  }

  @Override
  public void add(int group, byte type, byte[] from, int offset, int length) {
    if (type == MISSING) {
      return;
    }
    FieldMap map = maps.get(group);
    long before = map.bytes();
    map.merge(new RawValue(type, from, offset, length).copied());
    bytes += map.bytes() - before;
  }

  @Override
  public RawValue result(int group) {
    return maps.get(group).toValue();
  }

  @Override
  public long bytes() {
    return bytes + maps.bytes();
  }

  @Override
  public RawValue partial(int group) {
    return result(group);
  }

  @Override
  public void merge(int group, RawValue partial) {
    add(group, partial);
  }
}
