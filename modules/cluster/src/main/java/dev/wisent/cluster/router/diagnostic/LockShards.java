package dev.wisent.cluster.router.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.List;

/** {@code fsync} and {@code fsyncUnlock} of all shards and the config servers. */
final class LockShards {
  private static final RawDocument UNLOCK =
      new BsonBuilder().appendInt32("fsyncUnlock", 1).toDocument();

  private final AllShards shards;

  LockShards(AllShards shards) {
    this.shards = shards;
  }

  /** Where one of them cannot be locked, none is. */
  void lock(CommandRequest request, CommandContext context, BsonBuilder reply) {
    var command = new BsonBuilder().append("fsync", request.argument());
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "lock", "async", "fsyncLockAcquisitionTimeoutMillis" ->
            command.append(reader.name(), reader.value());
        default -> reader.unknown();
      }
    }
    OperationContext operation = context.operation();
    List<ShardReply> replies =
        shards.call(operation, shards.withConfig(operation), "admin", command.toDocument());
    RawValue lock = request.body().get("lock");
    try {
      reply.appendInt32("numFiles", 1).startDocument("all");
      shards.appendRaw(replies, reply);
      reply.end();
    } catch (CommandException e) {
      if (lock != null && lock.isTruthy()) {
        unlock(operation, replies.stream().filter(ShardReply::isOk).toList());
      }
      throw e;
    }
  }

  private void unlock(OperationContext operation, List<ShardReply> locked) {
    List<String> names = locked.stream().map(each -> each.request().shard()).toList();
    shards.call(operation, names, "admin", UNLOCK);
  }

  void unlock(CommandRequest request, CommandContext context, BsonBuilder reply) {
    OperationContext operation = context.operation();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
    shards.appendRaw(shards.call(operation, shards.withConfig(operation), "admin", UNLOCK), reply);
  }
}
