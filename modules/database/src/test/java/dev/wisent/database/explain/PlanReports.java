package dev.wisent.database.explain;

import static dev.wisent.database.TestDatabase.NAMESPACE;
import static dev.wisent.database.TestDatabase.value;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanCandidate;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.database.planner.PlanLimits;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.ExplainRequest.Verbosity;
import dev.wisent.operation.Explainable;
import dev.wisent.operation.FindRequest;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.bounds.Interval;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonDocument;

/** Explains plans that were made by hand. */
final class PlanReports implements AutoCloseable {
  static final Explainable FIND = FindRequest.of(NAMESPACE, RawDocument.EMPTY);

  static final QueryContext CONTEXT = QueryContext.of(() -> 0, () -> 0);

  private final TestDatabase database;

  PlanReports(Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.insert("{_id: 1, a: 1, b: {c: [1, 2]}}");
    database.createIndex("{a: 1, 'b.c': -1}");
  }

  @Override
  public void close() {
    database.close();
  }

  Collection collection() {
    return database.collection();
  }

  Index index() {
    return database.collection().index("a_1_b.c_-1");
  }

  ScanBounds bounds() {
    return new ScanBounds.ByField(
        List.of(
            new FieldIntervals("a", List.of(Interval.point(value("1")))),
            new FieldIntervals(
                "b.c",
                List.of(
                    new Interval(value("1"), true, value("5"), false),
                    new Interval(value("7"), false, value("Infinity"), true)))));
  }

  static MatchExpression filter(String json) {
    return MatchParser.parse(RawDocument.parse(json), CONTEXT);
  }

  static StageStats stats(PlanNode node) {
    return new StageStats(node, node.children().stream().map(PlanReports::stats).toList());
  }

  /** The plan in queryPlanner. */
  BsonDocument planned(Explainable request, PlanNode plan) {
    return explain(request, stats(plan), Verbosity.QUERY_PLANNER, null)
        .getDocument("queryPlanner")
        .getDocument("winningPlan");
  }

  /** The plan in executionStats. */
  BsonDocument executed(Explainable request, StageStats plan, long found) {
    var execution = new PlanReport.Execution(found, 7_000_000, null, found, false, List.of());
    return explain(request, plan, Verbosity.EXECUTION_STATS, execution)
        .getDocument("executionStats");
  }

  BsonDocument explain(
      Explainable request, StageStats plan, Verbosity verbosity, PlanReport.Execution execution) {
    var report =
        new PlanReport(
            database.collection(),
            filter("{a: 1, b: {$gt: 2}}"),
            "0A1B2C3D",
            "4E5F6071",
            false,
            0,
            new PlanLimits(),
            new PlanCandidate(plan, null, 0, false),
            List.of(),
            execution,
            null);
    var out = new BsonBuilder();
    new ReportDocument(
            new ExplainRequest(request, verbosity, RawDocument.EMPTY, RawDocument.EMPTY), report)
        .append(out);
    return out.toDocument().toBsonDocument();
  }

  static String json(String json) {
    return BsonDocument.parse(json).toJson();
  }
}
