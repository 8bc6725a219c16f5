package dev.wisent.bench.report;

import dev.wisent.bench.measure.Sample;
import java.util.List;

/** How one target did in one workload. */
public sealed interface Cell {
  /** All rounds went through. */
  record Measured(List<Sample> rounds) implements Cell {
    public Measured {
      rounds = List.copyOf(rounds);
      if (rounds.isEmpty()) {
        throw new IllegalArgumentException("no rounds");
      }
    }

    public Sample median() {
      return Sample.median(rounds);
    }
  }

  /** The target failed; the rest of the benchmark went on. */
  record Failed(String error) implements Cell {}

  /** The target cannot take part in this workload. */
  record Skipped(String reason) implements Cell {}
}
