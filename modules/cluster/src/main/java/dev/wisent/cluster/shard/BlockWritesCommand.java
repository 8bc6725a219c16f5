package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code _shardsvrBlockWrites} and {@code _shardsvrUnblockWrites}, of a collection or database. */
final class BlockWritesCommand implements Command {
  private final Ownership ownership;
  private final Change change;

  /** Begins or ends a block. */
  @FunctionalInterface
  interface Change {
    void make(OperationContext operation, String name, RawValue id, boolean reads);
  }

  BlockWritesCommand(Ownership ownership, Change change) {
    this.ownership = ownership;
    this.change = change;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String name = ShardArguments.name(request);
    RawValue id = null;
    boolean reads = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "id" -> id = reader.value();
        case "reads" -> reads = reader.bool();
        default -> reader.unknown();
      }
    }
    if (id == null) {
      throw ArgumentTypes.missing(request.name() + ".id");
    }
    ShardArguments.requireShard(ownership);
    change.make(context.operation(), name, id, reads);
  }
}
