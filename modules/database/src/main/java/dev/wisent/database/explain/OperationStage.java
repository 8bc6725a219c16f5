package dev.wisent.database.explain;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.explain.StageDocument.Works;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.Explainable;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.UpdateRequest;

/**
 * The step that an operation puts on top of the plan for its documents: a write, or a count. Such
 * steps are no part of a plan, because the operation does their work itself.
 *
 * @param execution null where nothing was run
 */
record OperationStage(Explainable request, PlanReport.Execution execution, StageDocument stages) {
  /** Adds the fields of the topmost step to the document that is open. */
  void append(StageStats plan, BsonBuilder out) {
    switch (request) {
      case FindRequest ignored -> stages.appendRoot(plan, out);
      case AggregateRequest ignored -> stages.appendRoot(plan, out);
      case DistinctRequest distinct -> appendDistinct(distinct, plan, out);
      case CountRequest count -> appendCount(count, plan, out);
      case UpdateRequest update -> {
        var statement = update.statements().getFirst();
        appendUpdate(plan, statement.upsert() || statement.multi(), 0, out);
      }
      case DeleteRequest delete ->
          appendDelete(plan, false, delete.statements().getFirst().multi(), 0, out);
      case FindAndModifyRequest change -> appendFindAndModify(change, plan, out);
    }
  }

  private void appendFindAndModify(FindAndModifyRequest change, StageStats plan, BsonBuilder out) {
    boolean projected = !change.fields().isEmpty();
    if (projected) {
      appendWrite("PROJECTION_DEFAULT", plan, returned(), out);
      out.appendDocument("transformBy", change.fields()).startDocument("inputStage");
    }
    if (change.isRemoval()) {
      appendDelete(plan, projected, false, returned(), out);
    } else {
      appendUpdate(plan, projected || change.upsert(), returned(), out);
    }
    if (projected) {
      out.end();
    }
  }

  private long returned() {
    return execution == null ? 0 : execution.returned();
  }

  private void appendDistinct(DistinctRequest request, StageStats plan, BsonBuilder out) {
    if (!(plan.node() instanceof PlanNode.DistinctScan)) {
      stages.appendRoot(plan, out);
      return;
    }
    out.appendString("stage", "PROJECTION_COVERED");
    if (stages.counted()) {
      stages.appendWorks(Works.of(plan), out);
    }
    out.startDocument("transformBy");
    if (!request.key().equals("_id")) {
      out.appendInt32("_id", 0);
    }
    out.appendInt32(request.key(), 1).end();
    appendInput(plan, out);
  }

  private void appendCount(CountRequest request, StageStats plan, BsonBuilder out) {
    boolean everything = request.query().isEmpty() && request.hint() == null;
    boolean fast =
        everything
            && !(plan.node() instanceof PlanNode.Eof)
            && !plan.has(PlanNode.ShardingFilter.class);
    out.appendString("stage", fast ? "RECORD_STORE_FAST_COUNT" : "COUNT");
    if (stages.counted()) {
      stages.appendWorks(fast ? new Works(0, 1, 0, 0, 0, true) : Works.over(plan, 0), out);
      long found = returned();
      long skipped = Math.min(request.skip(), found);
      long counted = found - skipped;
      boolean cut = request.limit() > 0 && request.limit() < counted;
      StageDocument.number("nCounted", cut ? request.limit() : counted, out);
      StageDocument.number("nSkipped", skipped, out);
    }
    if (!fast) {
      appendInput(plan, out);
    }
  }

  private void appendUpdate(StageStats plan, boolean planned, long returned, BsonBuilder out) {
    boolean express = !planned && plan.node() instanceof PlanNode.IdLookup;
    if (express) {
      stages.appendExpress("EXPRESS_UPDATE", plan, null, out);
    } else {
      appendWrite("UPDATE", plan, returned, out);
    }
    if (stages.counted()) {
      if (!express) {
        StageDocument.number("nMatched", returned(), out);
      }
      StageDocument.number("nWouldModify", execution == null ? 0 : execution.wouldModify(), out);
      boolean upsert = execution != null && execution.wouldUpsert();
      StageDocument.number("nWouldUpsert", upsert ? 1 : 0, out);
    }
    if (!express) {
      appendInput(plan, out);
    }
  }

  private void appendDelete(
      StageStats plan, boolean planned, boolean multi, long returned, BsonBuilder out) {
    boolean express = !planned && !multi && plan.node() instanceof PlanNode.IdLookup;
    if (express) {
      stages.appendExpress("EXPRESS_DELETE", plan, null, out);
    } else {
      appendWrite(multi ? "BATCHED_DELETE" : "DELETE", plan, returned, out);
    }
    if (stages.counted()) {
      StageDocument.number("nWouldDelete", execution == null ? 0 : execution.wouldModify(), out);
    }
    if (!express) {
      appendInput(plan, out);
    }
  }

  private void appendWrite(String stage, StageStats plan, long returned, BsonBuilder out) {
    out.appendString("stage", stage);
    if (stages.counted()) {
      stages.appendWorks(Works.over(plan, returned), out);
    }
  }

  private void appendInput(StageStats plan, BsonBuilder out) {
    out.startDocument("inputStage");
    stages.append(plan, out);
    out.end();
  }

  /** Rows at the very top: those who count or write give none. */
  long rows(StageStats plan) {
    return switch (request) {
      case FindRequest ignored -> plan.advanced;
      case AggregateRequest ignored -> plan.advanced;
      case DistinctRequest ignored -> plan.advanced;
      case FindAndModifyRequest ignored -> returned();
      case CountRequest ignored -> 0;
      case UpdateRequest ignored -> 0;
      case DeleteRequest ignored -> 0;
    };
  }
}
