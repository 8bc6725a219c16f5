package dev.wisent.bench.measure;

import org.HdrHistogram.Histogram;

/**
 * What the clients saw.
 *
 * @param units operations done, or documents where an operation is a batch
 * @param latencies of single operations, in nanoseconds
 */
public record Outcome(long units, long elapsedNanos, Histogram latencies) {}
