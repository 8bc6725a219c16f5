package dev.wisent.database.plan;

import dev.wisent.database.index.Index;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a plan looks like without the values of its query: two queries of one shape that are to be
 * answered in the same way have plans with the same outline. Inputs that look alike count once, for
 * their number may depend on values.
 */
public final class PlanOutline {
  private PlanOutline() {}

  public static String of(PlanNode plan) {
    String inputs =
        plan.children().stream().map(PlanOutline::of).distinct().collect(Collectors.joining(","));
    return plan.stage() + details(plan) + (inputs.isEmpty() ? "" : "(" + inputs + ")");
  }

  private static String details(PlanNode plan) {
    return switch (plan) {
      case PlanNode.IndexScan scan -> index(scan.index(), scan.reverse());
      case PlanNode.DistinctScan scan -> index(scan.index(), scan.reverse());
      case PlanNode.GeoNear near -> index(near.index(), false);
      case PlanNode.CountScan scan -> index(scan.index(), false);
      case PlanNode.CollectionScan scan -> scan.reverse() ? "-" : "";
      default -> "";
    };
  }

  private static String index(Index index, boolean reverse) {
    return " " + index.ident() + (reverse ? "-" : "");
  }

  /** The names of all indexes that some plans use. */
  public static TreeSet<String> indexNames(Iterable<PlanNode> plans) {
    var names = new TreeSet<String>();
    plans.forEach(plan -> collect(plan, names));
    return names;
  }

  private static void collect(PlanNode plan, TreeSet<String> names) {
    switch (plan) {
      case PlanNode.IndexScan scan -> names.add(scan.index().name());
      case PlanNode.DistinctScan scan -> names.add(scan.index().name());
      case PlanNode.GeoNear near -> names.add(near.index().name());
      case PlanNode.CountScan scan -> names.add(scan.index().name());
      case PlanNode.KeyLookup lookup -> names.add(lookup.index().name());
      default -> plan.children().forEach(child -> collect(child, names));
    }
  }
}
