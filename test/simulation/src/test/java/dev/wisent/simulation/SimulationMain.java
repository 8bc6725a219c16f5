package dev.wisent.simulation;

import dev.wisent.simulation.workload.Simulation;
import dev.wisent.simulation.workload.Violation;
import java.util.List;

/**
 * Runs seeds without a test framework: the first one and how many; then the rules to leave out, or
 * {@code none}, and how far two seeds are apart, for those that have a kind of traffic.
 */
public final class SimulationMain {
  private static final long TELL_EVERY = 100;

  private SimulationMain() {}

  public static void main(String[] arguments) {
    long first = Long.parseLong(arguments[0]);
    long count = Long.parseLong(arguments[1]);
    long step = arguments.length > 3 ? Long.parseLong(arguments[3]) : 1;
    if (arguments.length > 2 && !arguments[2].equals("none")) {
      mutants(arguments[2], first, count, step);
      return;
    }
    int failed = 0;
    long start = System.nanoTime();
    for (long seed = first; seed < first + count * step; seed += step) {
      try {
        Simulation.Outcome outcome = Simulation.run(seed);
        if (count <= 20) {
          System.out.println("seed " + seed + " " + outcome);
        }
      } catch (RuntimeException e) {
        failed++;
        System.out.println("FAILED " + e.getMessage());
        System.out.println("because of " + root(e));
        if (count <= 3) {
          e.printStackTrace(System.out);
        }
      }
      long done = (seed - first) / step + 1;
      if (done == count || done % TELL_EVERY == 0) {
        long millis = (System.nanoTime() - start) / 1_000_000;
        System.out.println(done + " seeds, " + failed + " failed, " + millis + " ms");
      }
    }
  }

  /** Which seed finds a build without a rule. */
  private static void mutants(String rules, long first, long count, long step) {
    dev.wisent.simulation.cluster.SimulatedCluster.prepareJvm();
    for (var mutant : Rules.ALL) {
      if (!rules.equals("all") && !List.of(rules.split(",")).contains(mutant.rule())) {
        continue;
      }
      String found = "not found";
      try (var used = mutant.use()) {
        for (long seed = first; seed < first + count * step; seed += step) {
          try {
            Simulation.run(seed);
          } catch (RuntimeException e) {
            found =
                (Violation.isCauseOf(e) ? "" : "NO VIOLATION ") + "seed " + seed + ": " + root(e);
            break;
          }
        }
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      System.out.println("MUTANT " + mutant.rule() + " " + found.lines().findFirst().orElse(""));
    }
  }

  private static Throwable root(Throwable error) {
    Throwable root = error;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
