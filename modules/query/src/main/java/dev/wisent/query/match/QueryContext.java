package dev.wisent.query.match;

import dev.wisent.bson.RawDocument;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * What a query may need to know of the world, so that the language itself stays a pure function.
 *
 * @param nowMillis the wall clock, in milliseconds since the epoch
 * @param random numbers from 0 (inclusive) to 1 (exclusive), for {@code $sampleRate}
 * @param let the command's variables; empty where it has none
 */
public record QueryContext(LongSupplier nowMillis, DoubleSupplier random, RawDocument let) {
  public static QueryContext of(LongSupplier nowMillis, DoubleSupplier random) {
    return new QueryContext(nowMillis, random, RawDocument.EMPTY);
  }
}
