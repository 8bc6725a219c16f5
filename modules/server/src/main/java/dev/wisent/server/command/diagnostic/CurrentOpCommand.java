package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

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

  private final Running running;
  private final BooleanSupplier writesLocked;

  /** Where the operations come from. */
  @FunctionalInterface
  public interface Running {
    /**
     * @param idleConnections whether connections that wait for their next command count too
     */
    List<RawDocument> list(OperationContext asking, boolean idleConnections);
  }

  CurrentOpCommand(CurrentOperations operations) {
    this((asking, idle) -> operations.list(asking, idle, true), operations::writesLocked);
  }

  /**
   * @param writesLocked whether {@code fsync} has locked writes out
   */
  public CurrentOpCommand(Running running, BooleanSupplier writesLocked) {
    this.running = running;
    this.writesLocked = writesLocked;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    MatchExpression matching =
        MatchParser.parse(request.body().without(OPTIONS), QueryContexts.of(context.operation()));
    reply.startArray("inprog");
    int position = 0;
    for (RawDocument operation : running.list(context.operation(), isAll(request))) {
      if (matching.matches(operation)) {
        reply.appendDocument(position++, operation);
      }
    }
    reply.end();
    if (writesLocked.getAsBoolean()) {
      reply.appendBoolean("fsyncLock", true);
      reply.appendString("info", "use db.fsyncUnlock() to terminate the fsync write/snapshot lock");
    }
  }

  private static boolean isAll(CommandRequest request) {
    RawValue all = request.body().get("$all");
    return all != null && all.isTruthy();
  }
}
