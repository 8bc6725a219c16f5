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
import dev.wisent.server.privilege.Principal;
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
     * @param onlyOf whose operations alone are shown; {@link Principal#UNRESTRICTED} for all
     */
    List<RawDocument> list(OperationContext asking, boolean idleConnections, Principal onlyOf);
  }

  CurrentOpCommand(CurrentOperations operations) {
    this(
        (asking, idle, onlyOf) -> operations.list(asking, idle, true, onlyOf),
        operations::writesLocked);
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
    Principal onlyOf = isSet(request, "$ownOps") ? request.principal() : Principal.UNRESTRICTED;
    reply.startArray("inprog");
    int position = 0;
    for (RawDocument operation :
        running.list(context.operation(), isSet(request, "$all"), onlyOf)) {
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

  private static boolean isSet(CommandRequest request, String option) {
    RawValue value = request.body().get(option);
    return value != null && value.isTruthy();
  }
}
