package dev.wisent.database.planner;

import dev.wisent.bson.ValueText;
import dev.wisent.database.Finds;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.bounds.Interval;
import dev.wisent.query.bounds.ScanBounds;
import java.util.List;
import java.util.stream.Collectors;

/** Plans in short: their steps, which index they use, and with which bounds. */
final class PlanTexts {
  private final TestDatabase database;

  PlanTexts(TestDatabase database) {
    this.database = database;
  }

  /** All plans of a query. */
  List<String> of(Query query) {
    return Planner.candidates(database.collection(), query, new PlanLimits(), database.operation())
        .stream()
        .map(PlanTexts::text)
        .toList();
  }

  List<String> of(Finds find) {
    return of(
        Query.find(find.toRequest(), database.collection().collation(), database.operation()));
  }

  private static String text(PlanNode node) {
    return switch (node) {
      case PlanNode.IndexScan scan ->
          (scan.filter() == null ? "IXSCAN " : "IXSCAN? ")
              + scan.index().name()
              + (scan.reverse() ? " backwards " : " ")
              + text(scan.bounds());
      case PlanNode.KeyLookup lookup ->
          "EXPRESS_IXSCAN " + lookup.index().name() + " " + text(lookup.bounds());
      case PlanNode.CountScan scan ->
          "COUNT_SCAN " + scan.index().name() + " " + text(scan.bounds());
      case PlanNode.DistinctScan scan ->
          "DISTINCT_SCAN " + scan.index().name() + " " + text(scan.bounds());
      case PlanNode.CollectionScan scan ->
          "COLLSCAN" + (scan.filter() == null ? "" : "?") + (scan.reverse() ? " backwards" : "");
      case PlanNode.Fetch fetch ->
          (fetch.filter() == null ? "FETCH(" : "FETCH?(") + text(fetch.input()) + ")";
      case PlanNode.Sort sort -> "SORT " + sort.limit() + "(" + text(sort.input()) + ")";
      default ->
          node.stage()
              + node.children().stream()
                  .map(PlanTexts::text)
                  .collect(Collectors.joining(", ", "(", ")"));
    };
  }

  private static String text(ScanBounds bounds) {
    return switch (bounds) {
      case ScanBounds.ByKey byKey -> "from min to max";
      case ScanBounds.ByField byField ->
          byField.fields().stream()
              .map(PlanTexts::text)
              .collect(Collectors.joining(", ", "{", "}"));
    };
  }

  private static String text(FieldIntervals field) {
    return field.isAll()
        ? "all"
        : field.intervals().stream().map(PlanTexts::text).collect(Collectors.joining(" "));
  }

  private static String text(Interval interval) {
    return interval.isPoint()
        ? ValueText.of(interval.low())
        : (interval.lowInclusive() ? "[" : "(")
            + ValueText.of(interval.low())
            + ", "
            + ValueText.of(interval.high())
            + (interval.highInclusive() ? "]" : ")");
  }
}
