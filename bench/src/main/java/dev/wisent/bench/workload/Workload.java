package dev.wisent.bench.workload;

import dev.wisent.bench.measure.Sample;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.target.Target;
import java.util.Optional;

/** Something to measure on every target. */
public interface Workload {
  String name();

  /** What one operation does, in a few words. */
  String summary();

  /** What throughput and CPU are counted in. */
  default String unit() {
    return "operation";
  }

  Durability durability();

  /** The reason why this target cannot take part, if it cannot. */
  default Optional<String> unsupportedBy(Target target) {
    return Optional.empty();
  }

  /** Loads what the workload needs on this target. */
  Prepared prepare(Subject subject) throws Exception;

  /** A workload whose data are on a target. */
  interface Prepared {
    Sample run(Round round) throws Exception;
  }
}
