package dev.wisent.database.explain;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.plan.PlanCandidate;
import dev.wisent.database.plan.QueryShape;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.ExplainRequest.Verbosity;
import dev.wisent.operation.Explainable;
import dev.wisent.operation.FindRequest;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.match.ComparisonMatch;
import dev.wisent.query.match.ComparisonMatch.Comparison;
import dev.wisent.query.match.ExactId;
import dev.wisent.query.match.MatchDocument;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchNormalForm;
import dev.wisent.query.path.FieldPath;

/** The sections of an explain reply that are about plans. */
public record ReportDocument(ExplainRequest explained, PlanReport report) {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Adds {@code queryPlanner} and, if the plan was run, {@code executionStats}. */
  public void append(BsonBuilder out) {
    appendQueryPlanner(out);
    if (report.execution() != null) {
      appendExecutionStats(out);
    }
  }

  private void appendQueryPlanner(BsonBuilder out) {
    out.startDocument("queryPlanner");
    out.appendString("namespace", explained.request().namespace().toString());
    MatchExpression filter = filter();
    if (filter != null) {
      out.appendDocument("parsedQuery", MatchDocument.of(MatchNormalForm.of(filter)));
    }
    out.appendBoolean("indexFilterSet", report.indexFilterSet());
    Collation collation = collation();
    if (collation != null) {
      out.appendDocument("collation", collation.document());
    }
    appendHashes(filter, out);
    long planningMillis = report.planningNanos() / NANOS_PER_MILLI;
    StageDocument.number("optimizationTimeMillis", planningMillis, out);
    out.appendBoolean("maxIndexedOrSolutionsReached", report.limits().orSolutions());
    out.appendBoolean("maxIndexedAndSolutionsReached", report.limits().andSolutions());
    out.appendBoolean("maxScansToExplodeReached", report.limits().scansToExplode());
    // Indexes that look alike all take part in the race.
    out.appendBoolean("prunedSimilarIndexes", false);
    out.startDocument("winningPlan");
    out.appendBoolean("isCached", report.winner().cached());
    stage(false).append(report.winner().stats(), out);
    out.end();
    out.startArray("rejectedPlans");
    for (int i = 0; i < report.rejected().size(); i++) {
      out.startDocument(i);
      out.appendBoolean("isCached", report.rejected().get(i).cached());
      stage(false).append(report.rejected().get(i).stats(), out);
      out.end();
    }
    out.end().end();
  }

  private Collation collation() {
    return explained
        .request()
        .collation()
        .or(report.collection() == null ? null : report.collection().collation());
  }

  /** Null for a write by {@code _id} alone, which is not parsed; so it is in MongoDB. */
  private MatchExpression filter() {
    if (report.filter() != null) {
      return report.filter();
    }
    RawDocument source =
        switch (explained.request()) {
          case FindRequest find -> find.filter();
          case AggregateRequest ignored -> report.pipeline().pushed().filter();
          default -> RawDocument.EMPTY;
        };
    RawValue id = ExactId.of(source);
    return id == null
        ? null
        : ComparisonMatch.of(
            Comparison.EQ, FieldPath.of("_id"), id, collation(), WorkMeter.unchecked());
  }

  private void appendHashes(MatchExpression filter, BsonBuilder out) {
    String shape = report.shapeHash();
    String key = report.cacheKey();
    if (shape == null && filter != null && explained.request() instanceof FindRequest find) {
      // A find by _id is not planned, but its shape has a name all the same.
      QueryShape byId = QueryShape.of(filter, find.sort(), find.projection(), collation());
      shape = byId.hash();
      key = QueryShape.hash(byId.text() + "|" + IndexDefinition.ID_INDEX_NAME);
    }
    if (shape != null) {
      out.appendString("queryHash", shape);
      out.appendString("planCacheShapeHash", shape);
    }
    if (key != null) {
      out.appendString("planCacheKey", key);
    }
  }

  private void appendExecutionStats(BsonBuilder out) {
    PlanReport.Execution execution = report.execution();
    StageStats stats = report.winner().stats();
    out.startDocument("executionStats");
    out.appendBoolean("executionSuccess", execution.failure() == null);
    if (execution.failure() != null) {
      out.appendString("errorMessage", execution.failure().getMessage());
      out.appendInt32("errorCode", execution.failure().code().code());
    }
    StageDocument.number("nReturned", stage(true).rows(stats), out);
    StageDocument.number("executionTimeMillis", execution.nanos() / NANOS_PER_MILLI, out);
    appendTotals(stats, out);
    out.startDocument("executionStages");
    out.appendBoolean("isCached", report.winner().cached());
    stage(true).append(stats, out);
    out.end();
    if (explained.verbosity() == Verbosity.ALL_PLANS_EXECUTION) {
      appendAllPlans(out);
    }
    out.end();
  }

  /** What the candidates did in the race; nothing if there was none. */
  private void appendAllPlans(BsonBuilder out) {
    out.startArray("allPlansExecution");
    if (!report.rejected().isEmpty()) {
      int index = 0;
      appendTrial(index++, report.winner(), out);
      for (PlanCandidate rejected : report.rejected()) {
        appendTrial(index++, rejected, out);
      }
    }
    out.end();
  }

  private void appendTrial(int index, PlanCandidate candidate, BsonBuilder out) {
    StageStats stats = candidate.trial() == null ? candidate.stats() : candidate.trial();
    out.startDocument(index);
    StageDocument.number("nReturned", stage(true).rows(stats), out);
    StageDocument.number("executionTimeMillisEstimate", stats.nanos / NANOS_PER_MILLI, out);
    appendTotals(stats, out);
    out.appendDouble("score", candidate.score());
    out.startDocument("executionStages");
    stage(true).append(stats, out);
    out.end().end();
  }

  private static void appendTotals(StageStats stats, BsonBuilder out) {
    StageDocument.number("totalKeysExamined", stats.totalKeysExamined(), out);
    StageDocument.number("totalDocsExamined", stats.totalDocumentsExamined(), out);
  }

  private OperationStage stage(boolean counted) {
    var stages = new StageDocument(counted, report.collection() == null);
    return new OperationStage(shown(), report.execution(), stages);
  }

  /** A pipeline that counts all documents does what a count does. */
  private Explainable shown() {
    return explained.request() instanceof AggregateRequest aggregate
            && report.pipeline() != null
            && report.pipeline().countsEverything(aggregate)
        ? report.pipeline().pushed().toCount(aggregate)
        : explained.request();
  }
}
