/**
 * Measuring: {@link dev.wisent.bench.measure.ClosedLoop} drives clients and times their operations,
 * {@link dev.wisent.bench.measure.Meter} reads what the server used meanwhile, and both together
 * make a {@link dev.wisent.bench.measure.Sample}.
 *
 * <p>Values here are immutable. Only {@code ClosedLoop} starts threads; it joins them before it
 * returns.
 */
package dev.wisent.bench.measure;
