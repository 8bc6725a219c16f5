package dev.wisent.server.command.replication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.oplog.OplogControl;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code appendOplogNote}: an entry that changes nothing. */
final class AppendOplogNoteCommand implements Command {
  private final OplogControl oplog;

  AppendOplogNoteCommand(OplogControl oplog) {
    this.oplog = oplog;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawDocument data = null;
    long latest = -1;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "data" -> data = reader.document();
        case "maxClusterTime" -> {
          if (reader.value().type() != ElementType.TIMESTAMP) {
            throw ArgumentTypes.wrongType(reader.path(), reader.value().type(), "timestamp");
          }
          latest = reader.value().asInt64();
        }
        default -> reader.unknown();
      }
    }
    if (data == null) {
      throw ArgumentTypes.missing("appendOplogNote.data");
    }
    if (latest != -1 && Long.compareUnsigned(oplog.newest(), latest) >= 0) {
      throw new CommandException(
          ErrorCode.STALE_CLUSTER_TIME,
          "Requested maxClusterTime is not later than the last entry of the oplog");
    }
    oplog.note(context.operation(), data);
  }
}
