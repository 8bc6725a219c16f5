package dev.wisent.simulation.machine;

import dev.wisent.base.RandomSource;

/**
 * How often a thread has to let others run although it could go on, and for how long.
 *
 * @param perMillion of the places where it could
 * @param pausesPerMillion of those, how often for a time, as if the process was not scheduled
 * @param pauseNanosMax how long then
 */
public record Preemption(int perMillion, int pausesPerMillion, long pauseNanosMax) {
  public static final Preemption NONE = new Preemption(0, 0, 0);

  boolean yields(RandomSource random) {
    return perMillion > 0 && random.nextInt(1_000_000) < perMillion;
  }

  long pauseNanos(RandomSource random) {
    return pausesPerMillion > 0 && random.nextInt(1_000_000) < pausesPerMillion
        ? random.nextLong(pauseNanosMax)
        : 0;
  }
}
