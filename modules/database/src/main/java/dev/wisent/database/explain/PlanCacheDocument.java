package dev.wisent.database.explain;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.plan.PlanCache;
import dev.wisent.database.plan.PlanCandidate;
import dev.wisent.database.plan.StageStats;
import java.util.List;

/** Entries of a plan cache as {@code $planCacheStats} gives them. */
public final class PlanCacheDocument {
  private PlanCacheDocument() {}

  /** Without the host, which the server adds. */
  public static RawDocument of(PlanCache.Entry entry) {
    List<PlanCandidate> candidates = entry.candidates();
    var out = new BsonBuilder();
    out.appendString("version", "1");
    out.appendString("queryHash", entry.shape().hash());
    out.appendString("planCacheShapeHash", entry.shape().hash());
    out.appendString("planCacheKey", entry.hash());
    out.appendBoolean("isActive", entry.active());
    out.appendInt64("works", entry.works());
    out.appendString("worksType", "works");
    out.appendDate("timeOfCreation", entry.createdMillis());
    out.startDocument("createdFromQuery");
    out.appendDocument("query", entry.query());
    out.appendDocument("sort", entry.sort());
    out.appendDocument("projection", entry.projection());
    out.end();
    out.startDocument("cachedPlan");
    new StageDocument(false, false).appendRoot(candidates.getFirst().stats(), out);
    out.end();
    out.startArray("creationExecStats");
    for (int i = 0; i < candidates.size(); i++) {
      out.startDocument(i);
      appendTrial(candidates.get(i), out);
      out.end();
    }
    out.end();
    out.startArray("candidatePlanScores");
    for (int i = 0; i < candidates.size(); i++) {
      out.append(i, RawValue.ofDouble(candidates.get(i).score()));
    }
    out.end();
    out.appendBoolean("indexFilterSet", entry.indexFilterSet());
    // The entry is not measured; what it shows is about what it holds.
    out.appendInt64("estimatedSizeBytes", out.position());
    return out.toDocument();
  }

  private static void appendTrial(PlanCandidate candidate, BsonBuilder out) {
    StageStats trial = candidate.trial();
    StageDocument.number("nReturned", trial.advanced, out);
    StageDocument.number("executionTimeMillisEstimate", trial.nanos / 1_000_000, out);
    StageDocument.number("totalKeysExamined", trial.totalKeysExamined(), out);
    StageDocument.number("totalDocsExamined", trial.totalDocumentsExamined(), out);
    out.startDocument("executionStages");
    new StageDocument(true, false).append(trial, out);
    out.end();
  }
}
