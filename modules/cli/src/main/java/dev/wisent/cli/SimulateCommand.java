package dev.wisent.cli;

import dev.wisent.base.Clock;
import dev.wisent.sharding.balance.simulation.GrowthSimulation;
import dev.wisent.sharding.balance.simulation.GrowthSimulation.Day;
import dev.wisent.sharding.balance.simulation.GrowthSimulation.Settings;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code wisent simulate}: how the balancer would keep a cluster of any size even, over months of
 * growth, without a cluster.
 */
final class SimulateCommand {
  static final String USAGE =
      """
      Usage: wisent simulate [FLAGS]

      Has a simulated cluster grow under the policy of the balancer and prints how even it stays and
      how much data moves. After a third of the time shards are added, after two thirds one is
      drained. The same seed gives the same run.

        --shards N      shards at the begin (default: 1000)
        --chunks N      chunks at the begin (default: 1000000)
        --days N        how long (default: 120)
        --growth N      percent of the data that is added each day (default: 0.5)
        --seed N        of the random numbers (default: 1)
        --help          show this help
      """;

  private static final double GIGABYTE = 1 << 30;
  private static final double PERCENT = 100;
  private static final int ROWS_MAX = 30;
  private static final int SHARDS_MAX = 10_000;
  private static final int CHUNKS_MAX = 5_000_000;
  private static final int DAYS_MAX = 3_650;
  private static final List<String> NAMES =
      List.of("--shards", "--chunks", "--days", "--growth", "--seed");

  private final PrintStream out;
  private final Clock clock;

  SimulateCommand(PrintStream out, Clock clock) {
    this.out = out;
    this.clock = clock;
  }

  void run(List<String> flags) throws StartException {
    Settings settings = parse(flags);
    out.printf(
        Locale.ROOT,
        "%6s %7s %9s %10s %7s %10s %9s %9s %9s %8s%n",
        "day",
        "shards",
        "chunks",
        "data GB",
        "apart",
        "grown GB",
        "moved GB",
        "moves",
        "back",
        "round ms");
    int every = Math.max(1, settings.days() / ROWS_MAX);
    new GrowthSimulation(settings, clock)
        .run(
            day -> {
              if (day.day() % every == 0 || day.day() == settings.days()) {
                print(day);
              }
            });
    out.println();
    out.println("apart: chunks between the fullest and the emptiest shard of a collection at most");
    out.println("back: moves of a chunk to a shard that it had left");
    out.println("round ms: the longest time for the decisions of a round");
    out.flush();
  }

  private void print(Day day) {
    out.printf(
        Locale.ROOT,
        "%6d %7d %9d %10.0f %7.1f %10.0f %9.0f %9d %9d %8d%n",
        day.day(),
        day.shards(),
        day.chunks(),
        day.bytes() / GIGABYTE,
        day.chunksApart(),
        day.grownBytes() / GIGABYTE,
        day.movedBytes() / GIGABYTE,
        day.moves(),
        day.movesBack(),
        day.planMillisMax());
    out.flush();
  }

  static Settings parse(List<String> flags) throws StartException {
    Map<String, String> values = new HashMap<>();
    int i = 0;
    while (i < flags.size()) {
      String flag = flags.get(i);
      int equals = flag.indexOf('=');
      String name = equals < 0 ? flag : flag.substring(0, equals);
      if (!NAMES.contains(name)) {
        throw StartException.badOption(
            "unknown flag '" + name + "'; try 'wisent simulate --help' for the flags");
      }
      if (equals < 0 && i + 1 == flags.size()) {
        throw StartException.badOption(name + " needs a value");
      }
      values.put(name, equals < 0 ? flags.get(i + 1) : flag.substring(equals + 1));
      i += equals < 0 ? 2 : 1;
    }
    int shards = (int) number(values, "--shards", "1000", 2, SHARDS_MAX);
    return new Settings(
        shards,
        (int) number(values, "--chunks", "1000000", 10L * shards, CHUNKS_MAX),
        (int) number(values, "--days", "120", 3, DAYS_MAX),
        number(values, "--growth", "0.5", 0, PERCENT) / PERCENT,
        (long) number(values, "--seed", "1", Integer.MIN_VALUE, Integer.MAX_VALUE));
  }

  private static double number(
      Map<String, String> values, String flag, String otherwise, double min, double max)
      throws StartException {
    String text = values.getOrDefault(flag, otherwise);
    double number;
    try {
      number = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new StartException(
          ExitCode.BAD_OPTIONS, flag + " must be a number, not '" + text + "'", e);
    }
    if (!(number >= min && number <= max)) {
      throw StartException.badOption(
          "%s must be from %.0f to %.0f, not %s".formatted(flag, min, max, text));
    }
    return number;
  }
}
