package dev.wisent.sharding.advice;

import dev.wisent.bson.ValueText;
import dev.wisent.sharding.advice.Finding.Subject;
import dev.wisent.sharding.advice.Finding.Weight;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The rules by which the figures of a key become a verdict. */
final class Judgement {
  /** With fewer values for each shard, the last shards come short. */
  private static final int VALUES_PER_SHARD = 20;

  private static final double NEARLY_ALL = 0.8;
  private static final double MOST = 0.5;
  private static final double FEW = 0.1;

  private final CandidateKey key;
  private final KeyFigures figures;
  private final AdviceSettings settings;
  private final List<Finding> findings = new ArrayList<>();

  Judgement(CandidateKey key, KeyFigures figures, AdviceSettings settings) {
    this.key = key;
    this.figures = figures;
    this.settings = settings;
  }

  Verdict verdict() {
    fields();
    cardinality();
    jumbo();
    inserts();
    locality();
    queries();
    return Verdict.of(findings);
  }

  private void add(Subject subject, Weight weight, String text) {
    findings.add(new Finding(subject, weight, text));
  }

  private static String percent(double share) {
    double percent = 100 * share;
    return percent > 0 && percent < 1
        ? "less than 1 %"
        : String.format(Locale.ROOT, "%.0f %%", percent);
  }

  private void fields() {
    if (figures.arrays() > 0) {
      add(
          Subject.FIELDS,
          Weight.BAD,
          figures.arrays() + " documents have an array in the key, which no shard key may have");
    }
    if (figures.missing() > 0) {
      add(
          Subject.FIELDS,
          figures.missing() > figures.sampled() / 10 ? Weight.WARNING : Weight.NOTE,
          percent((double) figures.missing() / figures.sampled())
              + " of the documents have no such field: all of them have the key null");
    }
    if (key.months() != null) {
      add(
          Subject.FIELDS,
          Weight.NOTE,
          "documents need a new field %s with the month of %s"
              .formatted(CoarseTime.nameFor(key.months()), key.months()));
    }
  }

  private void cardinality() {
    long distinct = figures.distinct();
    int shards = settings.shards();
    if (distinct < (long) shards * VALUES_PER_SHARD && distinct < figures.sampled() / 2) {
      boolean tooFew = distinct < 3L * shards;
      add(
          Subject.CARDINALITY,
          tooFew ? Weight.BAD : Weight.WARNING,
          "few values: %d, so at most %d chunks, however many documents there are%s"
              .formatted(
                  distinct,
                  distinct,
                  distinct < shards
                      ? "; %d of %d shards would have nothing to do"
                          .formatted(shards - distinct, shards)
                      : ""));
    } else {
      add(
          Subject.CARDINALITY,
          Weight.GOOD,
          distinct == figures.sampled() - figures.arrays()
              ? "every document has a value of its own"
              : "many values: " + distinct + " in the sample");
    }
  }

  private void jumbo() {
    if (figures.jumboValues() > 0) {
      add(
          Subject.JUMBO,
          figures.jumboShare() >= FEW ? Weight.BAD : Weight.WARNING,
          ("%d values fill more than a chunk each after a month, with %s of the documents: such"
                  + " chunks can neither be split nor moved. The most common one is %s (%s)")
              .formatted(
                  figures.jumboValues(),
                  percent(figures.jumboShare()),
                  ValueText.of(figures.common()),
                  percent(figures.commonShare())));
    }
  }

  private void inserts() {
    double busiest = figures.busiestShare();
    int shards = settings.shards();
    if (shards == 1) {
      return;
    }
    String share = percent(busiest);
    if (busiest >= NEARLY_ALL) {
      boolean follows = Math.abs(figures.correlation()) >= MOST;
      add(
          Subject.INSERTS,
          Weight.BAD,
          (follows
                  ? "ascending: the key follows the time of insertion, and %s of the inserts of any"
                      + " time go to one shard"
                  : "%s of the inserts of any time go to one shard")
              .formatted(share));
    } else if (busiest > Math.max(MOST, 2.0 / shards)) {
      add(
          Subject.INSERTS,
          Weight.WARNING,
          "uneven: the busiest of %d shards has %s of the inserts".formatted(shards, share));
    } else {
      add(
          Subject.INSERTS,
          Weight.GOOD,
          "spread: the busiest of %d shards has %s of the inserts".formatted(shards, share));
    }
  }

  /** Only what does not fit into memory needs to be local. */
  private void locality() {
    double warm = figures.warmShare();
    double bytes = warm * settings.bytesAfterMonth() / settings.shards();
    if (warm <= MOST) {
      add(
          Subject.LOCALITY,
          Weight.GOOD,
          "local: new documents go into " + percent(warm) + " of the data");
    } else if (bytes > settings.memoryBytes()) {
      add(
          Subject.LOCALITY,
          Weight.WARNING,
          ("no locality: new documents go into %s of the data, %.0f GB of a shard, which is more"
                  + " than its memory: inserts wait for the disk")
              .formatted(percent(warm), bytes / (1L << 30)));
    } else {
      add(
          Subject.LOCALITY,
          Weight.NOTE,
          "no locality: new documents go into %s of the data, which fits into memory so far"
              .formatted(percent(warm)));
    }
  }

  private void queries() {
    KeyFigures.QueryFigures queries = figures.queries();
    if (key.pattern().hasHashedPrefix()) {
      add(
          Subject.QUERIES,
          Weight.NOTE,
          "hashed: good to look up one value, queries for ranges of it go to all shards");
    }
    if (queries.total() == 0) {
      return;
    }
    String one = percent(queries.oneShardShare());
    if (queries.allShardsShare() > MOST) {
      boolean latency = settings.priority() == AdviceSettings.Priority.LATENCY;
      boolean nearlyAll = queries.allShardsShare() > NEARLY_ALL;
      add(
          Subject.QUERIES,
          latency && nearlyAll ? Weight.BAD : Weight.WARNING,
          "%s of the queries go to all shards, and %s to one"
              .formatted(percent(queries.allShardsShare()), one));
    } else {
      add(
          Subject.QUERIES,
          queries.oneShardShare() >= MOST ? Weight.GOOD : Weight.NOTE,
          "%s of the queries go to one shard, %s to all"
              .formatted(one, percent(queries.allShardsShare())));
    }
  }
}
