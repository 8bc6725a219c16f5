package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.QueryContexts;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.Set;

/** {@code currentOp}: the running operations that match the command's other fields. */
public final class CurrentOpCommand implements Command {
  private static final Set<String> OPTIONS =
      Set.of(
          "currentOp",
          "$all",
          "$ownOps",
          "$truncateOps",
          "$db",
          "lsid",
          "comment",
          "$readPreference",
          "$clusterTime",
          "maxTimeMS",
          "apiVersion",
          "apiStrict",
          "apiDeprecationErrors",
          "readConcern");

  private final CurrentOperations operations;

  public CurrentOpCommand(CurrentOperations operations) {
    this.operations = operations;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    MatchExpression matching =
        MatchParser.parse(request.body().without(OPTIONS), QueryContexts.of(context.operation()));
    reply.startArray("inprog");
    int position = 0;
    for (RawDocument operation : operations.list(context.operation(), isAll(request), true)) {
      if (matching.matches(operation)) {
        reply.appendDocument(position++, operation);
      }
    }
    reply.end();
    if (operations.writesLocked()) {
      reply.appendBoolean("fsyncLock", true);
      reply.appendString("info", "use db.fsyncUnlock() to terminate the fsync write/snapshot lock");
    }
  }

  private static boolean isAll(CommandRequest request) {
    RawValue all = request.body().get("$all");
    return all != null && all.isTruthy();
  }
}
