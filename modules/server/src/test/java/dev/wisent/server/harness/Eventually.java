package dev.wisent.server.harness;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread brings about. */
public final class Eventually {
  public static final int DEADLINE_SECONDS = 60;

  private Eventually() {}

  public static void await(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS)) {
        throw new AssertionError("waited in vain: " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
