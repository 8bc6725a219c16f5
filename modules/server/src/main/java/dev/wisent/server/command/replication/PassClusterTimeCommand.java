package dev.wisent.server.command.replication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.oplog.OplogControl;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/**
 * {@code _passClusterTime}: has the oplog of a member that is behind pass a time, for the change
 * streams that a router merges.
 */
final class PassClusterTimeCommand implements Command {
  private final OplogControl oplog;

  PassClusterTimeCommand(OplogControl oplog) {
    this.oplog = oplog;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawValue time = request.argument();
    if (time.type() != ElementType.TIMESTAMP) {
      throw ArgumentTypes.wrongType(request.pathOfArgument(), time.type(), "timestamp");
    }
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
    reply.appendBoolean("passed", oplog.pass(context.operation(), time.asInt64()));
  }
}
