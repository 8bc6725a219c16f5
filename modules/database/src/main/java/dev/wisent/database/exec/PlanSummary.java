package dev.wisent.database.exec;

import dev.wisent.bson.ValueText;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import java.util.stream.Collectors;

/** A plan in one line, as logs and {@code currentOp} have it: how the data is reached. */
public final class PlanSummary {
  /** A query by {@code _id} alone. */
  public static final String BY_ID = "EXPRESS_IXSCAN { _id: 1 }";

  /** A query of what is not there. */
  public static final String NOTHING = new PlanNode.Eof().stage();

  private PlanSummary() {}

  public static String of(PlanNode plan) {
    return switch (plan) {
      case PlanNode.IndexScan scan -> withKey(plan, scan.index());
      case PlanNode.GeoNear near -> withKey(plan, near.index());
      case PlanNode.CountScan scan -> withKey(plan, scan.index());
      case PlanNode.DistinctScan scan -> withKey(plan, scan.index());
      case PlanNode.KeyLookup lookup -> withKey(plan, lookup.index());
      case PlanNode.IdLookup lookup -> BY_ID;
      case PlanNode.CollectionScan scan -> scan.stage();
      case PlanNode.RandomCursor cursor -> cursor.stage();
      case PlanNode.Eof eof -> eof.stage();
      default ->
          plan.children().size() == 1
              ? of(plan.children().getFirst())
              : plan.children().stream().map(PlanSummary::of).collect(Collectors.joining(", "));
    };
  }

  private static String withKey(PlanNode plan, Index index) {
    return plan.stage() + " " + ValueText.of(index.definition().key());
  }
}
