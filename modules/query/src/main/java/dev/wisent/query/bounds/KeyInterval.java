package dev.wisent.query.bounds;

import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawValue;

/**
 * An interval of one field as its bytes are in keys, so that the ends of a descending field are
 * exchanged.
 *
 * @param first the encoded end that comes first
 * @param last the encoded end that comes last
 * @param lower what a field in the interval is not below
 * @param upper what a field in the interval is below
 */
public record KeyInterval(
    byte[] first,
    boolean firstInclusive,
    byte[] last,
    boolean lastInclusive,
    byte[] lower,
    byte[] upper) {

  public static KeyInterval of(Interval interval, boolean descending) {
    byte[] low = encode(interval.low(), descending);
    byte[] high = encode(interval.high(), descending);
    return descending
        ? of(high, interval.highInclusive(), low, interval.lowInclusive())
        : of(low, interval.lowInclusive(), high, interval.highInclusive());
  }

  private static KeyInterval of(
      byte[] first, boolean firstInclusive, byte[] last, boolean lastInclusive) {
    return new KeyInterval(
        first,
        firstInclusive,
        last,
        lastInclusive,
        firstInclusive ? first : after(first),
        lastInclusive ? after(last) : last);
  }

  private static byte[] encode(RawValue value, boolean descending) {
    return new IndexKeyV1.Encoder().append(value, descending).toByteArray();
  }

  /** Class bytes stay below FF, so there always is one. */
  private static byte[] after(byte[] field) {
    return IndexKeyV1.successor(field, field.length);
  }
}
