package dev.wisent.cli.advise;

import dev.wisent.sharding.advice.AdviceSettings;
import dev.wisent.sharding.advice.CandidateReport;
import dev.wisent.sharding.advice.KeyFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * All that is shown.
 *
 * @param reports the best one first
 */
record Advice(
    AdviseSettings settings,
    Workload workload,
    ShardPlacement placement,
    AdviceSettings assumed,
    List<CandidateReport> reports) {
  private static final long KILO = 1_000;
  private static final double GIGABYTE = 1L << 30;
  private static final double MEGABYTE = 1L << 20;

  Advice {
    reports = List.copyOf(reports);
  }

  /** What was looked at, and what was assumed, one line each. */
  List<String> premises() {
    var lines = new ArrayList<String>();
    lines.add(
        "%s documents of %d bytes; looked at %s, in the order of insertion by: %s"
            .formatted(
                count(workload.total()),
                workload.documentBytes(),
                count(workload.documents().size()),
                workload.order()));
    lines.add("%s queries from %s".formatted(count(workload.queries().size()), workload.source()));
    lines.add(
        "for %d shards, %s; %s after a month with %s inserts a day"
            .formatted(
                assumed.shards(),
                assumed.priority(),
                bytes(assumed.bytesAfterMonth()),
                count(Math.round(assumed.documentsPerDay()))));
    if (assumed.bytesAfterMonth() < (double) assumed.shards() * assumed.chunkBytes()) {
      lines.add(
          "that is less than a chunk for each shard: the figures are of a collection that grows");
    }
    return lines;
  }

  static String count(long number) {
    if (number < 10 * KILO) {
      return Long.toString(number);
    }
    return number < 10 * KILO * KILO
        ? number / KILO + " thousand"
        : number / (KILO * KILO) + " million";
  }

  static String bytes(double bytes) {
    return bytes < GIGABYTE
        ? String.format(Locale.ROOT, "%.0f MB", bytes / MEGABYTE)
        : String.format(Locale.ROOT, "%.1f GB", bytes / GIGABYTE);
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }

  /** How many values, as far as the sample tells. */
  static String values(KeyFigures figures) {
    boolean all = figures.distinct() >= figures.sampled() * 0.99;
    return all ? "all differ" : Long.toString(figures.distinct());
  }

  /** What the busiest shard has to do at the busiest time; empty where that is not known. */
  String peak(KeyFigures figures) {
    var text = new StringBuilder();
    if (settings.peakInserts() > 0) {
      text.append(
          "the busiest shard takes %s inserts in a second"
              .formatted(count(Math.round(settings.peakInserts() * figures.busiestShare()))));
    }
    if (settings.peakQueries() > 0 && figures.queries().total() > 0) {
      double each = settings.peakQueries() * figures.queries().shardsPerQuery() / assumed.shards();
      text.append(text.isEmpty() ? "" : ", ")
          .append("a shard answers %s queries in a second".formatted(count(Math.round(each))));
    }
    return text.toString();
  }
}
