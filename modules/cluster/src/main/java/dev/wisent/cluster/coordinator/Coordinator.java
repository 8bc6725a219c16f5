package dev.wisent.cluster.coordinator;

import dev.wisent.bson.RawDocument;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A kind of durable action. Instances keep no state of a run and are used by many threads. */
public interface Coordinator {
  /** Such as {@code shardCollection}; stored, and unique. */
  String type();

  /** What nothing else may work on during a run. */
  Set<ResourceLock> locks(String resource, RawDocument arguments);

  /**
   * Checks whether the action can begin, under its locks. Nothing is stored yet, and nothing may be
   * changed.
   *
   * @return the result, if there is nothing left to do
   */
  default Optional<RawDocument> check(PhaseContext context) {
    return Optional.empty();
  }

  /** In order. Those that can be undone come first. */
  List<Phase> phases();

  /**
   * Undoes what the phases up to a failed one may have done. It may run several times, and after
   * any part of that phase.
   */
  default void undo(PhaseContext context) {}

  /** What currentOp shows of a run, beside its phase; asked by any thread. */
  default RawDocument shown(PhaseContext context) {
    return RawDocument.EMPTY;
  }

  /** What is told when all phases have succeeded. */
  default RawDocument result(PhaseContext context) {
    return RawDocument.EMPTY;
  }
}
