package dev.wisent.server.command.concern;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code getDefaultRWConcern}: the concerns of commands that do not say any. */
public final class GetDefaultRwConcernCommand implements Command {
  private final DefaultConcerns defaults;

  /**
   * @param set null on a standalone, which has no such defaults
   */
  public GetDefaultRwConcernCommand(Operations operations, ReplicaSet set) {
    this.defaults = set == null ? null : new DefaultConcerns(operations, new CurrentQuorum(set));
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    boolean inMemory = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        // Nothing is kept beside what is stored.
        case "inMemory" -> inMemory = reader.bool();
        default -> reader.unknown();
      }
    }
    checkMember(defaults, "getDefaultRWConcern");
    OperationContext operation = context.operation();
    DefaultConcernsReply.append(
        defaults.stored(operation), defaults, operation.clock().wallMillis(), reply);
    if (inMemory) {
      reply.appendBoolean("inMemory", true);
    }
  }

  static void checkMember(DefaultConcerns defaults, String command) {
    if (defaults == null) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "'" + command + "' is not supported on standalone nodes.");
    }
  }
}
