package dev.wisent.simulation;

import dev.wisent.simulation.workload.Simulation;

/** Runs seeds without a test framework: the first one and how many. */
public final class SimulationMain {
  private SimulationMain() {}

  public static void main(String[] arguments) {
    long first = Long.parseLong(arguments[0]);
    long count = Long.parseLong(arguments[1]);
    int failed = 0;
    long start = System.nanoTime();
    for (long seed = first; seed < first + count; seed++) {
      try {
        Simulation.Outcome outcome = Simulation.run(seed);
        if (count <= 20) {
          System.out.println("seed " + seed + " " + outcome);
        }
      } catch (RuntimeException e) {
        failed++;
        System.out.println("FAILED " + e.getMessage());
        if (count <= 3) {
          e.printStackTrace(System.out);
        }
      }
    }
    System.out.println(
        count
            + " seeds, "
            + failed
            + " failed, "
            + (System.nanoTime() - start) / 1_000_000
            + " ms");
  }
}
