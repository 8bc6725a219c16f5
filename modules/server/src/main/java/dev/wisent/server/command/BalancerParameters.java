package dev.wisent.server.command;

import java.util.concurrent.TimeUnit;

/** How often a config server balances and merges; can be changed while it runs. Thread-safe. */
public final class BalancerParameters {
  private volatile int migrationsThrottlingMillis = 1000;
  private volatile int autoMergerIntervalSeconds = (int) TimeUnit.HOURS.toSeconds(1);
  private volatile int autoMergerThrottlingMillis = (int) TimeUnit.SECONDS.toMillis(15);
  private volatile boolean movesDrainedDatabases = true;

  /** The pause between two rounds in which something moves. */
  public int migrationsThrottlingMillis() {
    return migrationsThrottlingMillis;
  }

  public void migrationsThrottlingMillis(int millis) {
    migrationsThrottlingMillis = millis;
  }

  /** How often the auto-merger looks at all collections. */
  public int autoMergerIntervalSeconds() {
    return autoMergerIntervalSeconds;
  }

  public void autoMergerIntervalSeconds(int seconds) {
    autoMergerIntervalSeconds = seconds;
  }

  /** The pause between two merges of the auto-merger. */
  public int autoMergerThrottlingMillis() {
    return autoMergerThrottlingMillis;
  }

  public void autoMergerThrottlingMillis(int millis) {
    autoMergerThrottlingMillis = millis;
  }

  /** Whether databases leave a draining shard by themselves. */
  public boolean movesDrainedDatabases() {
    return movesDrainedDatabases;
  }

  public void movesDrainedDatabases(boolean moves) {
    movesDrainedDatabases = moves;
  }
}
