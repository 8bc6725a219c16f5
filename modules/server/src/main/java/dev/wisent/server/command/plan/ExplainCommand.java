package dev.wisent.server.command.plan;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.ExplainRequest.Verbosity;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CollectionUuids;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.ExplainableCommand;
import java.util.List;
import java.util.function.Supplier;

/** {@code explain}: another command, planned and perhaps run, without its results. */
public final class ExplainCommand implements Command {
  private final Supplier<List<CommandSpec>> commands;
  private final Explanations replies;
  private final CollectionUuids uuids;

  public ExplainCommand(
      Supplier<List<CommandSpec>> commands, Explanations replies, CollectionUuids uuids) {
    this.uuids = uuids;
    this.commands = commands;
    this.replies = replies;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawDocument body = ArgumentTypes.document("explain.explain", request.argument());
    Verbosity verbosity = verbosity(request);
    checkDatabase(body.get("$db"), request.database());
    CommandRequest given = request.explained(body);
    CommandSpec spec = spec(given.name());
    ExplainableCommand command = (ExplainableCommand) spec.command();
    CommandRequest inner = uuids.named(given, spec);
    CommandException mismatch = uuids.mismatch(inner, spec);
    if (mismatch != null) {
      throw mismatch;
    }
    context.operation().limitMillis(inner.maxTimeMillis());
    replies.write(command.parseForExplain(inner, context), verbosity, inner, context, reply);
  }

  private static Verbosity verbosity(CommandRequest request) {
    Verbosity verbosity = Verbosity.ALL_PLANS_EXECUTION;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "verbosity" -> verbosity = verbosity(reader);
        default -> reader.unknown();
      }
    }
    return verbosity;
  }

  private static Verbosity verbosity(ArgumentReader reader) {
    return switch (reader.string()) {
      case "queryPlanner" -> Verbosity.QUERY_PLANNER;
      case "executionStats" -> Verbosity.EXECUTION_STATS;
      case "allPlansExecution" -> Verbosity.ALL_PLANS_EXECUTION;
      default ->
          throw new CommandException(
              ErrorCode.BAD_VALUE,
              "Enumeration value '"
                  + reader.string()
                  + "' for field '"
                  + reader.path()
                  + "' is not a valid value.");
    };
  }

  private static void checkDatabase(RawValue inner, String database) {
    if (inner == null) {
      return;
    }
    String name = ArgumentTypes.string("explain.explain.$db", inner);
    if (!name.equals(database)) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "Mismatched $db in explain command. Expected " + database + " but got " + name);
    }
  }

  /** The row of a command that can be explained. */
  private CommandSpec spec(String name) {
    for (CommandSpec spec : commands.get()) {
      if (spec.isCalled(name)) {
        if (spec.command() instanceof ExplainableCommand) {
          return spec;
        }
        throw new CommandException(
            ErrorCode.ILLEGAL_OPERATION, "Cannot explain cmd: " + spec.name());
      }
    }
    throw new CommandException(
        ErrorCode.COMMAND_NOT_FOUND, "Explain failed due to unknown command: " + name);
  }
}
