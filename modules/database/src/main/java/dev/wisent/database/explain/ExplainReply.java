package dev.wisent.database.explain;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.group.GroupStage;
import dev.wisent.pipeline.optimize.Optimizer;
import java.util.ArrayList;
import java.util.List;

/** The reply of explain: about the plan, the command and the server. */
public final class ExplainReply {
  private ExplainReply() {}

  /** Whether a pipeline is over what the server knows, which no plan is made for. */
  public static boolean isOfSource(ExplainRequest request) {
    return request.request() instanceof AggregateRequest aggregate
        && (aggregate.pipeline().source() != null || aggregate.pipeline().isSource());
  }

  /** The reply about a pipeline over what the server knows. */
  public static RawDocument ofSource(ExplainRequest request) {
    var aggregate = (AggregateRequest) request.request();
    BsonBuilder reply = start();
    reply.startArray("stages");
    int count = 0;
    for (RawDocument stage : Optimizer.optimize(aggregate.pipeline()).explained()) {
      reply.appendDocument(count++, stage);
    }
    reply.end();
    return reply
        .appendAll(request.server())
        .appendDocument("command", request.command())
        .toDocument();
  }

  /** The reply about an operation that a plan was made for. */
  public static RawDocument of(ExplainRequest request, PlanReport report) {
    BsonBuilder reply = start();
    var document = new ReportDocument(request, report);
    if (report.pipeline() != null && !report.pipeline().isFind()) {
      appendStages(document, reply);
      reply.appendAll(request.server());
      reply.appendDocument("command", request.command());
    } else {
      document.append(reply);
      reply.appendDocument("command", request.command());
      reply.appendAll(request.server());
    }
    return reply.toDocument();
  }

  private static BsonBuilder start() {
    return new BsonBuilder().appendString("explainVersion", "1");
  }

  private static void appendStages(ReportDocument document, BsonBuilder reply) {
    PlanReport report = document.report();
    reply.startArray("stages");
    reply.startDocument(0).startDocument("$cursor");
    document.append(reply);
    reply.end();
    if (report.execution() != null) {
      appendRows(report.winner().stats().advanced, report.execution().nanos(), reply);
    }
    reply.end();
    appendStages(explained(report), 1, report.execution(), reply);
    reply.end();
  }

  private static List<List<RawDocument>> explained(List<Stage> stages) {
    return stages.stream().map(Stage::explained).toList();
  }

  /** A group that an index finds the members of is shown otherwise. */
  private static List<List<RawDocument>> explained(PlanReport report) {
    var stages = new ArrayList<>(explained(report.pipeline().stages()));
    if (report.winner().stats().has(PlanNode.DistinctScan.class)
        && report.pipeline().stages().getFirst() instanceof GroupStage group) {
      stages.set(0, List.of(group.oneOfEach().explained(group)));
    }
    return stages;
  }

  private static void appendStages(
      List<List<RawDocument>> stages,
      int first,
      PlanReport.Execution execution,
      BsonBuilder reply) {
    int index = first;
    for (int i = 0; i < stages.size(); i++) {
      for (RawDocument part : stages.get(i)) {
        reply.startDocument(index++).appendAll(part);
        if (execution != null) {
          PlanReport.StageRun run = execution.stages().get(i);
          reply.appendAll(run.use());
          appendRows(run.returned(), run.nanos(), reply);
        }
        reply.end();
      }
    }
  }

  private static void appendRows(long returned, long nanos, BsonBuilder reply) {
    reply.appendInt64("nReturned", returned);
    reply.appendInt64("executionTimeMillisEstimate", nanos / 1_000_000);
  }
}
