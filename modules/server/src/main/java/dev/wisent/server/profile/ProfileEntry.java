package dev.wisent.server.profile;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.SecretArguments;
import dev.wisent.server.command.ShownCommand;
import dev.wisent.server.command.concern.DefaultReadConcern;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.operation.RunningOperation;
import java.util.List;
import java.util.Set;

/** A document of {@code system.profile}: one command that has ended. */
final class ProfileEntry {
  private static final int COMMAND_BYTES_MAX = 50 << 10;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private ProfileEntry() {}

  /**
   * @param responseBytes the length of the message that answers the command
   */
  static RawDocument of(
      RunningOperation operation, long nanos, RawDocument reply, int responseBytes) {
    OperationContext context = operation.context();
    var figures = new ReplyFigures(operation, reply);
    var out = new BsonBuilder();
    out.appendString("op", operation.kind());
    out.appendString("ns", operation.namespace());
    appendCommand(operation, out);
    figures.appendCursor(out);
    out.appendInt64("keysExamined", context.keysExamined());
    out.appendInt64("docsExamined", context.documentsExamined());
    figures.appendWrites(out);
    out.appendInt64("numYield", 0);
    figures.appendReturned(out);
    if (context.plan() != null) {
      String shape = context.plan().shapeHash();
      out.appendString("queryHash", shape);
      out.appendString("planCacheShapeHash", shape);
      out.appendString("planCacheKey", context.plan().cacheKeyHash());
      out.appendString("queryFramework", "classic");
    }
    out.startDocument("locks").end();
    DefaultReadConcern.append(operation.request(), operation.spec(), out);
    figures.appendError(out);
    out.appendInt32("responseLength", responseBytes);
    out.appendString("protocol", "op_msg");
    out.appendInt64("millis", nanos / NANOS_PER_MILLI);
    if (context.planSummary() != null) {
      out.appendString("planSummary", context.planSummary());
    }
    out.appendDate("ts", context.clock().wallMillis());
    appendClient(operation.client(), out);
    return out.toDocument();
  }

  private static void appendClient(ClientConnection client, BsonBuilder out) {
    String address = client.remoteAddress();
    int port = address.lastIndexOf(':');
    out.appendString("client", port < 0 ? address : address.substring(0, port));
    String application = client.applicationName();
    if (application != null) {
      out.appendString("appName", application);
    }
    out.startArray("allUsers").end();
    out.appendString("user", "");
  }

  private static void appendCommand(RunningOperation operation, BsonBuilder out) {
    out.appendDocument(
        "command",
        ShownCommand.of(
            command(operation),
            operation.spec().name(),
            operation.request().comment(),
            COMMAND_BYTES_MAX));
  }

  /** The command without the documents of an insert; of one update or delete the statement. */
  private static RawDocument command(RunningOperation operation) {
    if (SecretArguments.writesCredentials(operation.spec().name(), operation.command())) {
      return operation.command();
    }
    return switch (operation.spec().name()) {
      case "insert" -> operation.command().without(Set.of("documents"));
      case "update" -> onlyStatement("updates", operation.request());
      case "delete" -> onlyStatement("deletes", operation.request());
      default -> operation.command();
    };
  }

  private static RawDocument onlyStatement(String field, CommandRequest request) {
    List<RawDocument> sequence = request.sequence(field);
    if (sequence != null) {
      return sequence.size() == 1 ? sequence.getFirst() : request.body();
    }
    RawValue inBody = request.body().get(field);
    if (inBody != null && inBody.isArray()) {
      ElementCursor statements = inBody.elements();
      if (statements.next() && statements.value().isDocument()) {
        RawDocument first = statements.value().asDocument();
        return statements.next() ? request.body() : first;
      }
    }
    return request.body();
  }
}
