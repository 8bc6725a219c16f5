package dev.wisent.server.command.plan;

import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.ExplainRequest.Verbosity;
import dev.wisent.operation.Explainable;
import dev.wisent.operation.Operations;
import dev.wisent.server.HostNames;
import dev.wisent.server.ServerVersion;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.function.IntSupplier;

/** Has an operation explained, and says which command and which server that is about. */
public final class Explanations {
  private final Operations operations;
  private final IntSupplier port;

  public Explanations(Operations operations, IntSupplier port) {
    this.operations = operations;
    this.port = port;
  }

  /**
   * @param request the command that is explained
   */
  public void write(
      Explainable explained,
      Verbosity verbosity,
      CommandRequest request,
      CommandContext context,
      BsonBuilder reply) {
    var asked = new ExplainRequest(explained, verbosity, request.commandDocument(), server());
    reply.appendAll(operations.explain(context.operation(), asked));
  }

  private RawDocument server() {
    var out = new BsonBuilder();
    out.startDocument("serverInfo");
    out.appendString("host", HostNames.local());
    out.appendInt32("port", port.getAsInt());
    out.appendString("version", ServerVersion.COMPATIBLE_WITH);
    out.appendString("gitVersion", ServerVersion.GIT);
    out.end();
    out.startDocument("serverParameters");
    out.appendInt32("internalQueryMaxBlockingSortMemoryUsageBytes", (int) Limits.SORT_BYTES_MAX);
    out.end();
    return out.toDocument();
  }
}
