package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Expression;
import java.util.Arrays;

/**
 * {@code $addToSet}: all values that are different, in the order in which they came. The sets of
 * all groups are one table of values behind the number of their group, and each value knows the
 * next one of its set.
 */
final class AddToSetStates extends ValueStates {
  private static final int NONE = -1;

  private final Collation collation;
  private final IndexKeyV1.Encoder key = new IndexKeyV1.Encoder();
  private KeyTable values = new KeyTable();
  private int[] next = new int[16];
  private int[] firsts = new int[16];
  private int[] lasts = new int[16];
  private long[] setBytes = new long[16];

  AddToSetStates(Expression input, Collation collation) {
    super(input);
    this.collation = collation;
  }

  @Override
  public void start(int group, RawDocument id) {
    if (group >= firsts.length) {
      firsts = Arrays.copyOf(firsts, 2 * firsts.length);
      lasts = Arrays.copyOf(lasts, firsts.length);
      setBytes = Arrays.copyOf(setBytes, firsts.length);
    }
    if (group == 0 && values.size() > 0) {
      // A caller that begins groups anew has no other.
      values = new KeyTable();
    }
    firsts[group] = NONE;
    lasts[group] = NONE;
    setBytes[group] = 0;
  }

  @Override
  public void add(int group, byte type, byte[] bytes, int offset, int length) {
    if (type == MISSING) {
      return;
    }
    key.reset().appendIdent(group);
    if (collation != null && Collation.affects(type)) {
      key.append(collation.key(new RawValue(type, bytes, offset, length)), false);
    } else {
      key.append(type, bytes, offset, false);
    }
    int found = values.find(key.bytes(), key.length());
    if (found < 0) {
      setBytes[group] += length + key.length();
      StateList.checkSize("$addToSet", setBytes[group]);
      values.put(key.bytes(), key.length(), type, bytes, offset, length);
      link(group, -1 - found);
    }
  }

  private void link(int group, int value) {
    if (value >= next.length) {
      next = Arrays.copyOf(next, 2 * next.length);
    }
    next[value] = NONE;
    if (firsts[group] == NONE) {
      firsts[group] = value;
    } else {
      next[lasts[group]] = value;
    }
    lasts[group] = value;
  }

  @Override
  public RawValue result(int group) {
    var array = new ArrayBuilder();
    for (int value = firsts[group]; value != NONE; value = next[value]) {
      array.add(values.value(value));
    }
    return array.build();
  }

  @Override
  public long bytes() {
    return values.bytes() + 4L * next.length + 16L * firsts.length;
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
