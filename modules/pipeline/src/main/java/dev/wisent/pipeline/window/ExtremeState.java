package dev.wisent.pipeline.window;

import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Values;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * {@code $min} and {@code $max} of a window that moves: the values that no later one surpasses, so
 * that the first of them is the result. Null and missing values do not count.
 */
final class ExtremeState extends WindowState {
  private static final long OVERHEAD_BYTES = 80;

  private final int sign;
  private final Collation collation;
  private final Deque<Candidate> candidates = new ArrayDeque<>();
  private long added;
  private long removed;
  private long bytes;

  private record Candidate(RawValue value, long sequence) {}

  /**
   * @param sign -1 for the smallest value, 1 for the largest
   */
  ExtremeState(int sign, Collation collation) {
    this.sign = sign;
    this.collation = collation;
  }

  @Override
  void add(RawValue value) {
    long sequence = added++;
    if (Values.isNullish(value)) {
      return;
    }
    while (!candidates.isEmpty()
        && Values.compare(collation, value, candidates.getLast().value()) * sign > 0) {
      bytes -= bytes(candidates.removeLast());
    }
    var candidate = new Candidate(value.detached(), sequence);
    candidates.add(candidate);
    bytes += bytes(candidate);
  }

  @Override
  void remove(ValueQueue values, long number) {
    long sequence = removed++;
    if (!candidates.isEmpty() && candidates.getFirst().sequence() == sequence) {
      bytes -= bytes(candidates.removeFirst());
    }
  }

  private static long bytes(Candidate candidate) {
    return OVERHEAD_BYTES + candidate.value().length();
  }

  @Override
  void reset() {
    candidates.clear();
    added = 0;
    removed = 0;
    bytes = 0;
  }

  @Override
  RawValue result(ValueQueue values, long from, long to) {
    return candidates.isEmpty() ? RawValue.NULL : candidates.getFirst().value();
  }

  @Override
  long bytes() {
    return bytes;
  }
}
