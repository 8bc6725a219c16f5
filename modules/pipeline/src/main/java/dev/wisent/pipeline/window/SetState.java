package dev.wisent.pipeline.window;

import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueKey;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ArrayBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@code $addToSet} of a window that moves: each value with the number of documents that have it.
 */
final class SetState extends WindowState {
  private static final long OVERHEAD_BYTES = 144;

  private final Collation collation;
  private final Map<ValueKey, Member> members = new LinkedHashMap<>();
  private long bytes;

  private static final class Member {
    private final RawValue value;
    private long count;

    Member(RawValue value) {
      this.value = value;
    }
  }

  SetState(Collation collation) {
    this.collation = collation;
  }

  @Override
  void add(RawValue value) {
    if (value == null) {
      return;
    }
    Member member = members.get(key(value));
    if (member == null) {
      member = new Member(value.detached());
      members.put(key(member.value), member);
      bytes += bytes(member);
    }
    member.count++;
  }

  @Override
  void remove(ValueQueue values, long number) {
    RawValue value = values.get(number);
    if (value == null) {
      return;
    }
    ValueKey key = key(value);
    Member member = members.get(key);
    member.count--;
    if (member.count == 0) {
      members.remove(key);
      bytes -= bytes(member);
    }
  }

  private ValueKey key(RawValue value) {
    return new ValueKey(Collation.key(collation, value));
  }

  private static long bytes(Member member) {
    return OVERHEAD_BYTES + member.value.length();
  }

  @Override
  void reset() {
    members.clear();
    bytes = 0;
  }

  @Override
  RawValue result(ValueQueue values, long from, long to) {
    var out = new ArrayBuilder();
    members.values().forEach(member -> out.add(member.value));
    return out.build();
  }

  @Override
  long bytes() {
    return bytes;
  }
}
