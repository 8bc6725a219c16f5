package dev.wisent.server.command.replication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Operations;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.operation.oplog.PreImageLifetime;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/**
 * {@code setClusterParameter}: a parameter that all members share. Its value is a document like any
 * other, so that the next primary has it, too.
 */
final class SetClusterParameterCommand implements Command {
  private final Operations operations;
  private final ReplicaSet set;

  /**
   * @param set null on a standalone, which has no such parameters
   */
  SetClusterParameterCommand(Operations operations, ReplicaSet set) {
    this.operations = operations;
    this.set = set;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawDocument given = ArgumentTypes.document("setClusterParameter", request.argument());
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
    ClusterParameters.checkMember(set, "setClusterParameter");
    if (given.fieldCount() != 1) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "setClusterParameter only supports setting exactly one parameter");
    }
    ElementCursor parameter = given.elements();
    parameter.next();
    ClusterParameters.checkKnown(parameter.name());
    var lifetime =
        PreImageLifetime.parse(ArgumentTypes.document(parameter.name(), parameter.value()));
    WriteOutcome outcome =
        operations.update(context.operation(), lifetime.storing(set.clock().now()));
    if (!outcome.failures().isEmpty()) {
      throw outcome.failures().getFirst().error();
    }
  }
}
