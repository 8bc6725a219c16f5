package dev.wisent.cluster.shard.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code coordinateCommitTransaction}. Without participants it asks for the outcome of a
 * transaction that has written here, and ends one that has none yet.
 */
public final class CoordinateCommitCommand implements Command {
  private final TransactionCoordination coordination;

  public CoordinateCommitCommand(TransactionCoordination coordination) {
    this.coordination = coordination;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ArgumentReader arguments = ArgumentReader.of(request);
    List<String> participants = List.of();
    while (arguments.next()) {
      switch (arguments.name()) {
        case "participants" -> participants = shards(arguments.value());
        default -> arguments.unknown();
      }
    }
    if (!request.isInTransaction()) {
      throw new CommandException(
          ErrorCode.COMMAND_FAILED, "coordinateCommitTransaction must be run within a transaction");
    }
    coordination.commit(context.operation(), request.transaction(), participants);
  }

  /** Of {@code [{shardId: ..}, ..]}. */
  private static List<String> shards(RawValue participants) {
    var shards = new ArrayList<String>();
    ElementCursor each = participants.elements();
    while (each.next()) {
      RawValue shard = each.value().isDocument() ? each.value().asDocument().get("shardId") : null;
      if (shard == null || !shard.isString()) {
        throw new CommandException(
            ErrorCode.TYPE_MISMATCH, "a participant is a document with a shardId");
      }
      shards.add(shard.asString());
    }
    return shards;
  }
}
