package dev.wisent.simulation.machine;

/**
 * The time of simulated threads. The JDK's own waits ask here instead of the machine, so this class
 * belongs to the boot class loader and uses nothing but the JDK.
 */
public final class VirtualTime {
  private static volatile long nanos;

  private VirtualTime() {}

  /** What the JDK calls instead of {@link System#nanoTime}. */
  public static long nanoTime() {
    return Thread.currentThread().isVirtual() ? nanos : System.nanoTime();
  }

  /** Moves the time of all simulated threads. */
  public static void set(long newNanos) {
    nanos = newNanos;
  }
}
