package dev.wisent.cli.advise;

import dev.wisent.sharding.advice.CandidateReport;
import dev.wisent.sharding.advice.Finding;
import dev.wisent.sharding.advice.KeyFigures;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The advice on a terminal. */
final class AdviceTable {
  private static final List<String> TITLES =
      List.of(
          "key",
          "verdict",
          "values",
          "busiest shard",
          "one shard",
          "all shards",
          "warm data",
          "jumbo",
          "chunks");

  private final Advice advice;

  AdviceTable(Advice advice) {
    this.advice = advice;
  }

  void print(PrintStream out) {
    out.println();
    out.println("Shard keys for " + advice.settings().namespace());
    advice.premises().forEach(line -> out.println("  " + line));
    if (!advice.placement().shards().isEmpty()) {
      out.println("  " + advice.placement().title());
      advice.placement().lines().forEach(line -> out.println("    " + line));
    }
    out.println();
    table(out);
    out.println();
    out.println(
        "  busiest shard: its part of the inserts of any time; one shard, all shards: queries that"
            + " go");
    out.println("  there; warm data: what new documents go into; jumbo, chunks: after a month");
    advice.reports().forEach(report -> reasons(report, out));
    out.println();
  }

  private void table(PrintStream out) {
    var rows = new ArrayList<List<String>>();
    rows.add(TITLES);
    advice.reports().forEach(report -> rows.add(row(report)));
    int[] widths = new int[TITLES.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      var line = new StringBuilder("  ");
      for (int i = 0; i < widths.length; i++) {
        String format = i < 2 ? "%-" + widths[i] + "s  " : "%" + widths[i] + "s  ";
        line.append(String.format(Locale.ROOT, format, row.get(i)));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  static List<String> row(CandidateReport report) {
    KeyFigures figures = report.figures();
    KeyFigures.QueryFigures queries = figures.queries();
    boolean asked = queries.total() > 0;
    return List.of(
        report.key().text(),
        report.verdict().grade().toString(),
        Advice.values(figures),
        Advice.percent(figures.busiestShare()),
        asked ? Advice.percent(queries.oneShardShare()) : "-",
        asked ? Advice.percent(queries.allShardsShare()) : "-",
        Advice.percent(figures.warmShare()),
        figures.jumboValues() == 0 ? "none" : Advice.percent(figures.jumboShare()),
        Long.toString(figures.chunksAfterMonth()));
  }

  static List<String> titles() {
    return TITLES;
  }

  private void reasons(CandidateReport report, PrintStream out) {
    out.println();
    String idea = report.key().idea();
    out.printf(
        "  %s: %s%s%n",
        report.key().text(), report.verdict().grade(), idea.isEmpty() ? "" : " (" + idea + ")");
    for (Finding finding : report.verdict().findings()) {
      out.println("    " + mark(finding.weight()) + " " + finding.text());
    }
    String peak = advice.peak(report.figures());
    if (!peak.isEmpty()) {
      out.println("    . " + peak);
    }
  }

  static String mark(Finding.Weight weight) {
    return switch (weight) {
      case GOOD -> "+";
      case NOTE -> ".";
      case WARNING -> "!";
      case BAD -> "x";
    };
  }
}
