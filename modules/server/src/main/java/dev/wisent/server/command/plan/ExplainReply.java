package dev.wisent.server.command.plan;

import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.exec.PlanReport;
import dev.wisent.database.explain.ReportDocument;
import dev.wisent.database.operation.AggregateRequest;
import dev.wisent.database.operation.ExplainRequest;
import dev.wisent.database.operation.Operations;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.group.GroupStage;
import dev.wisent.pipeline.optimize.Optimizer;
import dev.wisent.server.ServerVersion;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.diagnostic.HostNames;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Explains an operation and writes the reply: about the plan, the command and the server. */
public final class ExplainReply {
  private final Operations operations;
  private final IntSupplier port;

  public ExplainReply(Operations operations, IntSupplier port) {
    this.operations = operations;
    this.port = port;
  }

  /**
   * @param request the command that is explained
   */
  public void write(
      ExplainRequest asked, CommandRequest request, CommandContext context, BsonBuilder reply) {
    var explained =
        new ExplainRequest(
            operations.resolved(context.operation(), asked.request()), asked.verbosity());
    reply.appendString("explainVersion", "1");
    if (explained.request() instanceof AggregateRequest aggregate
        && (aggregate.pipeline().source() != null || aggregate.pipeline().isSource())) {
      appendSource(aggregate.pipeline(), reply);
      appendServer(reply);
      reply.appendDocument("command", request.commandDocument());
      return;
    }
    PlanReport report = operations.explain(context.operation(), explained);
    var document = new ReportDocument(explained, report);
    if (report.pipeline() != null && !report.pipeline().isFind()) {
      appendStages(document, reply);
      appendServer(reply);
      reply.appendDocument("command", request.commandDocument());
    } else {
      document.append(reply);
      reply.appendDocument("command", request.commandDocument());
      appendServer(reply);
    }
  }

  /** A pipeline over what the server knows, which no plan is made for. */
  private static void appendSource(Pipeline pipeline, BsonBuilder reply) {
    reply.startArray("stages");
    int count = 0;
    for (RawDocument stage : Optimizer.optimize(pipeline).explained()) {
      reply.appendDocument(count++, stage);
    }
    reply.end();
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

  private void appendServer(BsonBuilder reply) {
    reply.startDocument("serverInfo");
    reply.appendString("host", HostNames.local());
    reply.appendInt32("port", port.getAsInt());
    reply.appendString("version", ServerVersion.COMPATIBLE_WITH);
    reply.appendString("gitVersion", ServerVersion.GIT);
    reply.end();
    reply.startDocument("serverParameters");
    reply.appendInt32("internalQueryMaxBlockingSortMemoryUsageBytes", (int) Limits.SORT_BYTES_MAX);
    reply.end();
  }
}
