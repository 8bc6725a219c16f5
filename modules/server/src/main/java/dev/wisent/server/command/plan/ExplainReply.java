package dev.wisent.server.command.plan;

import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.exec.PlanReport;
import dev.wisent.database.explain.ReportDocument;
import dev.wisent.database.operation.AggregateRequest;
import dev.wisent.database.operation.ExplainRequest;
import dev.wisent.database.operation.Operations;
import dev.wisent.database.read.PushedStages;
import dev.wisent.query.aggregate.Pipeline;
import dev.wisent.query.aggregate.Stage;
import dev.wisent.server.ServerVersion;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.diagnostic.HostNames;
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
      ExplainRequest explained, CommandRequest request, CommandContext context, BsonBuilder reply) {
    reply.appendString("explainVersion", "1");
    if (explained.request() instanceof AggregateRequest aggregate && !isFind(aggregate)) {
      appendStages(explained, aggregate.pipeline(), context, reply);
      appendServer(reply);
      reply.appendDocument("command", request.commandDocument());
    } else {
      report(explained, context).append(reply);
      reply.appendDocument("command", request.commandDocument());
      appendServer(reply);
    }
  }

  private ReportDocument report(ExplainRequest explained, CommandContext context) {
    return new ReportDocument(explained, operations.explain(context.operation(), explained));
  }

  /** Whether the plan does all that the pipeline asks for. */
  private static boolean isFind(AggregateRequest request) {
    Pipeline pipeline = request.pipeline();
    return pipeline.source() == null
        && PushedStages.of(pipeline).count() == pipeline.stages().size();
  }

  private void appendStages(
      ExplainRequest explained, Pipeline pipeline, CommandContext context, BsonBuilder reply) {
    reply.startArray("stages");
    int index = 0;
    int pushed = 0;
    PlanReport.Execution execution = null;
    if (pipeline.source() == null) {
      ReportDocument report = report(explained, context);
      execution = report.report().execution();
      pushed = PushedStages.of(pipeline).count();
      reply.startDocument(index++).startDocument("$cursor");
      report.append(reply);
      reply.end();
      if (execution != null) {
        appendRows(report.report().winner().stats().advanced, execution.nanos(), reply);
      }
      reply.end();
    } else {
      reply.startDocument(index++);
      reply.appendDocument(pipeline.source(), pipeline.sourceArgument()).end();
    }
    List<Stage> stages = pipeline.stages().subList(pushed, pipeline.stages().size());
    for (int i = 0; i < stages.size(); i++) {
      for (RawDocument part : stages.get(i).explained()) {
        reply.startDocument(index++).appendAll(part);
        if (execution != null) {
          PlanReport.StageRun run = execution.stages().get(i);
          appendRows(run.returned(), run.nanos(), reply);
        }
        reply.end();
      }
    }
    reply.end();
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
