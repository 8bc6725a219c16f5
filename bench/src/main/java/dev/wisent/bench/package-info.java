/**
 * The benchmark command: {@link dev.wisent.bench.BenchMain} reads the options, {@link
 * dev.wisent.bench.BenchRun} runs every workload on every target in turn, round after round, so
 * that whatever else the machine does meets all targets alike.
 *
 * <p>Outside the product: it depends on no module of it and reaches every server over its port. One
 * thread runs the benchmark; only {@code measure} starts more.
 */
package dev.wisent.bench;
