package dev.wisent.server.command;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.Namespace;
import dev.wisent.database.OperationContext;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.metrics.ServerMetrics;
import dev.wisent.server.operation.OperationRegistry;
import dev.wisent.server.operation.RunningOperation;
import dev.wisent.storage.StorageException;
import java.util.function.BooleanSupplier;

/** Finds the command of a request, runs it under an operation, and turns errors into replies. */
public final class CommandDispatcher {
  private final CommandRegistry registry;
  private final OperationRegistry operations;
  private final FailPoints failPoints;
  private final ServerMetrics metrics;
  private final CommandAccounting accounting;
  private final SlowOperationLog slowLog;
  private final Clock clock;

  public CommandDispatcher(
      CommandRegistry registry,
      OperationRegistry operations,
      FailPoints failPoints,
      ServerMetrics metrics,
      SlowOperationLog slowLog,
      Clock clock) {
    this.registry = registry;
    this.operations = operations;
    this.failPoints = failPoints;
    this.metrics = metrics;
    this.accounting = new CommandAccounting(metrics);
    this.slowLog = slowLog;
    this.clock = clock;
  }

  /**
   * Runs a command and completes its reply.
   *
   * @return whether the connection may go on; a fail point can ask to close it
   */
  public boolean dispatch(
      CommandRequest request,
      ClientConnection client,
      BooleanSupplier clientGone,
      BsonBuilder reply) {
    int start = reply.position();
    CommandSpec spec = null;
    boolean failed = true;
    try {
      spec = check(request);
      FailPoints.Effect effect = failPoints.effectOn(spec, client);
      if (effect.closeConnection()) {
        return false;
      }
      if (request.isHelp()) {
        reply.appendString("help", "help for: " + spec.name() + " " + spec.help());
      } else {
        runUnderOperation(spec, request, client, clientGone, effect, reply);
      }
      effect.appendWriteConcernError(reply);
      reply.appendDouble("ok", 1);
      failed = false;
    } catch (CommandException e) {
      reply.truncateToOutermost(start);
      ErrorReply.append(reply, e);
    } catch (StorageException e) {
      reply.truncateToOutermost(start);
      ErrorReply.append(reply, translate(e));
    } catch (RuntimeException | StackOverflowError e) {
      reply.truncateToOutermost(start);
      slowLog.internalError(request, client, e);
      ErrorReply.append(
          reply, new CommandException(ErrorCode.INTERNAL_ERROR, "internal error: " + e));
    }
    if (spec != null) {
      metrics.command(spec.name(), failed);
    }
    return true;
  }

  private void runUnderOperation(
      CommandSpec spec,
      CommandRequest request,
      ClientConnection client,
      BooleanSupplier clientGone,
      FailPoints.Effect effect,
      BsonBuilder reply) {
    var context = new OperationContext(clock, clientGone);
    if (!spec.name().equals("getMore")) {
      // On getMore the limit is how long to wait for new data, not how long to work.
      context.limitMillis(request.maxTimeMillis());
    }
    RunningOperation operation = operations.start(client, spec, request, context);
    try {
      effect.delayOrFail(context);
      spec.command().run(request, new CommandContext(client, context), reply);
    } finally {
      operations.end(operation);
      accounting.ended(operation);
      slowLog.ended(operation);
    }
  }

  private CommandSpec check(CommandRequest request) {
    CommandSpec spec = registry.find(request.name());
    if (spec == null) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_FOUND, "no such command: '" + request.name() + "'");
    }
    if (request.database() == null) {
      throw new CommandException(
          ErrorCode.IDL_FAILED_TO_PARSE,
          "BSON field 'OpMsg.$db' is missing but a required field");
    }
    Namespace.checkDatabase(request.database());
    if (spec.adminOnly() && !request.database().equals("admin")) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED,
          spec.name() + " may only be run against the admin database.");
    }
    SessionArguments.check(request, spec);
    ApiVersion.check(request, spec);
    return spec;
  }

  private static CommandException translate(StorageException e) {
    ErrorCode code =
        switch (e.kind()) {
          case FULL -> ErrorCode.OUT_OF_DISK_SPACE;
          case CLOSED -> ErrorCode.INTERRUPTED_AT_SHUTDOWN;
          default -> ErrorCode.INTERNAL_ERROR;
        };
    return new CommandException(code, e.getMessage());
  }
}
