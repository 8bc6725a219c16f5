package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code _shardsvrBlockWrites} and {@code _shardsvrUnblockWrites}, of a collection or database. */
final class BlockWritesCommand {
  private final Ownership ownership;
  private final WriteBlockTable blocks;

  BlockWritesCommand(Ownership ownership, WriteBlockTable blocks) {
    this.ownership = ownership;
    this.blocks = blocks;
  }

  /** {@code _shardsvrBlockWrites}. */
  void block(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String name = ShardArguments.name(request);
    RawValue id = null;
    long number = 0;
    boolean reads = false;
    long boundMillis = 0;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "id" -> id = reader.value();
        case "number" -> number = reader.nonNegative();
        case "reads" -> reads = reader.bool();
        case "boundMillis" -> boundMillis = reader.nonNegative();
        default -> reader.unknown();
      }
    }
    requireId(request, id);
    var block = new WriteBlockTable.Block(name, id, number);
    blocks.begin(context.operation(), block, reads, boundMillis);
  }

  /** {@code _shardsvrUnblockWrites}. */
  void unblock(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String name = ShardArguments.name(request);
    RawValue id = null;
    boolean again = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "id" -> id = reader.value();
        case "again" -> again = reader.bool();
        default -> reader.unknown();
      }
    }
    requireId(request, id);
    reply.appendInt64("number", blocks.end(context.operation(), name, id, again));
  }

  private void requireId(CommandRequest request, RawValue id) {
    if (id == null) {
      throw ArgumentTypes.missing(request.name() + ".id");
    }
    ShardArguments.requireShard(ownership);
  }
}
