package dev.wisent.bench.workload;

import dev.wisent.bench.measure.Limit;

/** One run of a workload on one target; number 0 is the warm-up. */
public record Round(int number, Limit limit) {}
