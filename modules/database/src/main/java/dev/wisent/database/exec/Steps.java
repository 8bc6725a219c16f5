package dev.wisent.database.exec;

import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.query.metadata.MetaType;
import java.util.ArrayList;
import java.util.List;

/** Opens the steps of a plan. */
final class Steps {
  private Steps() {}

  /** What those above a step ask of it. */
  private enum Wanted {
    ROWS,
    /** Rows, and the keys that they were found by. */
    KEYS,
    /** No rows: all terms of a text index that a scan finds, at once. */
    POSTINGS
  }

  static Step open(PlanNode plan, StepContext context) {
    return open(plan, context, Wanted.ROWS);
  }

  private static Step open(PlanNode node, StepContext context, Wanted wanted) {
    Wanted ofInputs = ofInputs(node, wanted);
    List<Step> inputs = new ArrayList<>(node.children().size());
    List<StageStats> inputStats = new ArrayList<>(node.children().size());
    for (PlanNode child : node.children()) {
      Step input = open(child, context, ofInputs);
      inputs.add(input);
      inputStats.add(input.stats());
    }
    Step step = open(node, new StageStats(node, inputStats), inputs, context, wanted);
    if (context.timed()) {
      step.time(context.operation().clock());
    }
    return step;
  }

  /** The keys of one term come in the order that is wanted; those of several are to be added up. */
  private static Wanted ofInputs(PlanNode node, Wanted wanted) {
    return switch (node) {
      case PlanNode.ReturnKey returnKey -> Wanted.KEYS;
      case PlanNode.Project project
          when project.projection().metadata().contains(MetaType.INDEX_KEY) ->
          Wanted.KEYS;
      case PlanNode.TextOr or when or.children().size() > 1 -> Wanted.POSTINGS;
      default -> wanted;
    };
  }

  private static Step open(
      PlanNode node, StageStats stats, List<Step> inputs, StepContext context, Wanted wanted) {
    return switch (node) {
      case PlanNode.Eof eof -> new EofStep(stats);
      case PlanNode.CollectionScan scan -> new CollectionScanStep(stats, scan, context);
      case PlanNode.RandomCursor cursor -> new RandomCursorStep(stats, cursor, context);
      case PlanNode.IdLookup lookup -> new IdLookupStep(stats, lookup, context);
      case PlanNode.KeyLookup lookup -> new KeyLookupStep(stats, lookup, context);
      case PlanNode.IndexScan scan when wanted == Wanted.POSTINGS ->
          new PostingScanStep(stats, scan, context);
      case PlanNode.IndexScan scan -> new IndexScanStep(stats, scan, context);
      case PlanNode.GeoNear scan -> new GeoNearStep(stats, scan, context);
      case PlanNode.CountScan scan -> new CountScanStep(stats, scan, context);
      case PlanNode.DistinctScan scan -> new DistinctScanStep(stats, scan, context);
      case PlanNode.Fetch fetch -> new FetchStep(stats, inputs.getFirst(), fetch, context);
      case PlanNode.ShardingFilter filter ->
          new ShardingFilterStep(stats, inputs.getFirst(), context);
      case PlanNode.Sort sort when isInOrder(sort) ->
          new LimitStep(
              stats, inputs.getFirst(), sort.limit() == 0 ? Long.MAX_VALUE : sort.limit());
      case PlanNode.Sort sort -> {
        boolean documents = hasDocuments(sort.input());
        boolean keys = wanted == Wanted.KEYS || !documents;
        yield new SortStep(
            stats, inputs.getFirst(), sort, context.sortSpaces().get(), keys, documents);
      }
      case PlanNode.Skip skip -> new SkipStep(stats, inputs.getFirst(), skip);
      case PlanNode.Limit limit -> new LimitStep(stats, inputs.getFirst(), limit.count());
      case PlanNode.Project project -> new ProjectStep(stats, inputs.getFirst(), project, context);
      case PlanNode.ReturnKey returnKey -> new ReturnKeyStep(stats, inputs.getFirst(), returnKey);
      case PlanNode.TextMatch match -> new TextMatchStep(stats, inputs.getFirst(), match);
      case PlanNode.TextOr or when or.children().size() == 1 ->
          new TextTermStep(stats, inputs.getFirst(), or, context);
      case PlanNode.TextOr or -> new TextOrStep(stats, inputs, or, context);
      case PlanNode.Or or -> new OrStep(stats, inputs);
      case PlanNode.SortMerge merge -> new SortMergeStep(stats, inputs, merge);
      case PlanNode.Subplan subplan -> new PassStep(stats, inputs.getFirst());
    };
  }

  /** Whether rows come as the sort wants them: a search gives the best first. */
  private static boolean isInOrder(PlanNode.Sort sort) {
    return sort.pattern().isBy(MetaType.TEXT_SCORE) && isScored(sort.input());
  }

  private static boolean isScored(PlanNode node) {
    return switch (node) {
      case PlanNode.TextOr or -> true;
      case PlanNode.TextMatch match -> isScored(match.input());
      case PlanNode.Fetch fetch -> isScored(fetch.input());
      case PlanNode.ShardingFilter filter -> isScored(filter.input());
      default -> false;
    };
  }

  /** Whether the rows of a plan have their documents. */
  private static boolean hasDocuments(PlanNode node) {
    return switch (node) {
      case PlanNode.IndexScan scan -> false;
      case PlanNode.CountScan scan -> false;
      case PlanNode.DistinctScan scan -> false;
      case PlanNode.Eof eof -> true;
      case PlanNode.GeoNear near -> true;
      case PlanNode.CollectionScan scan -> true;
      case PlanNode.RandomCursor cursor -> true;
      case PlanNode.IdLookup lookup -> true;
      case PlanNode.KeyLookup lookup -> true;
      case PlanNode.Fetch fetch -> true;
      case PlanNode.Project project -> true;
      case PlanNode.TextMatch match -> true;
      case PlanNode.TextOr or -> true;
      case PlanNode.ReturnKey returnKey -> true;
      case PlanNode.ShardingFilter filter -> hasDocuments(filter.input());
      case PlanNode.Sort sort -> hasDocuments(sort.input());
      case PlanNode.Skip skip -> hasDocuments(skip.input());
      case PlanNode.Limit limit -> hasDocuments(limit.input());
      case PlanNode.Subplan subplan -> hasDocuments(subplan.input());
      case PlanNode.Or or -> or.children().stream().allMatch(Steps::hasDocuments);
      case PlanNode.SortMerge merge -> merge.children().stream().allMatch(Steps::hasDocuments);
    };
  }
}
