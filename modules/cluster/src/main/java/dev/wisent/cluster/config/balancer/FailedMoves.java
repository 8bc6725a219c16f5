package dev.wisent.cluster.config.balancer;

import dev.wisent.base.Clock;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.balance.ChunkMove;
import dev.wisent.sharding.balance.ChunkView;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Ranges whose migration has failed: they are left alone for a while, which doubles with each
 * failure in a row. Of the thread of the balancer.
 */
final class FailedMoves {
  static final Duration PAUSE_MIN = Duration.ofSeconds(30);
  static final Duration PAUSE_MAX = Duration.ofMinutes(10);

  /** Longer than a term. */
  private static final Duration UNTIL_CLEARED = Duration.ofDays(10_000);

  /** More failures than this are not remembered one by one. */
  private static final int RANGES_MAX = 10_000;

  private final Clock clock;
  private final Map<Range, Pause> pauses = new HashMap<>();

  private record Range(Namespace namespace, RawDocument min) {}

  private record Pause(long untilNanos, Duration length) {}

  FailedMoves(Clock clock) {
    this.clock = clock;
  }

  void failed(ChunkMove move) {
    failed(move.namespace(), move.range().min());
  }

  void failed(Namespace namespace, RawDocument min) {
    if (pauses.size() >= RANGES_MAX) {
      pauses.clear();
    }
    pauses.merge(
        new Range(namespace, min.detached()),
        pause(PAUSE_MIN),
        (before, first) -> {
          Duration doubled = before.length.multipliedBy(2);
          return pause(doubled.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : doubled);
        });
  }

  /**
   * A range that probably cannot be moved before something else is done. It is tried once more, as
   * the reason may have been a write under way; then it is left alone.
   */
  void impossible(ChunkMove move) {
    pauses.merge(
        new Range(move.namespace(), move.range().min().detached()),
        pause(PAUSE_MIN),
        (before, first) -> pause(UNTIL_CLEARED));
  }

  private Pause pause(Duration length) {
    return new Pause(clock.monotonicNanos() + length.toNanos(), length);
  }

  void succeeded(ChunkMove move) {
    pauses.remove(new Range(move.namespace(), move.range().min()));
  }

  /** Whether a range is left alone now. */
  boolean isHeld(Namespace namespace, RawDocument min) {
    Pause pause = pauses.get(new Range(namespace, min));
    return pause != null && pause.untilNanos - clock.monotonicNanos() > 0;
  }

  /** The numbers of the chunks of a collection that are left alone now. */
  Set<Integer> heldOf(Namespace namespace, ChunkView chunks) {
    var held = new HashSet<Integer>();
    pauses.forEach(
        (range, pause) -> {
          if (range.namespace.equals(namespace) && pause.untilNanos - clock.monotonicNanos() > 0) {
            held.add(chunks.indexOf(range.min));
          }
        });
    return held;
  }

  /** A new term knows nothing of failures, and neither does a balancer that was started anew. */
  void clear() {
    pauses.clear();
  }
}
