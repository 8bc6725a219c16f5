package dev.wisent.bench.workload;

import dev.wisent.bench.measure.Limit;
import java.time.Duration;
import java.util.Optional;

/**
 * The size of a benchmark.
 *
 * @param records documents in each loaded collection
 * @param limit of one measured run
 * @param warmUp limit of the run before the first round, which is not counted; empty for none
 * @param quietTimeout how long to wait at most for a server to finish earlier work
 * @param passes over all workloads; only the last is reported, on servers that the others warmed up
 * @param idleConnections held by the {@code connections} workload
 */
public record Settings(
    long records,
    Limit limit,
    Optional<Limit> warmUp,
    Duration quietTimeout,
    int threads,
    int passes,
    int rounds,
    long seed,
    int idleConnections) {
  /** What the pools and PostgreSQL's connection limit are made for. */
  private static final int THREADS_MAX = 256;

  public Settings {
    requirePositive("records", records);
    requirePositive("threads", threads);
    if (threads > THREADS_MAX) {
      throw new IllegalArgumentException("threads must be at most " + THREADS_MAX);
    }
    requirePositive("passes", passes);
    requirePositive("rounds", rounds);
    requirePositive("idle connections", idleConnections);
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, not " + value);
    }
  }
}
