package dev.wisent.cluster.router.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.RoutingCatalog;

/** {@code killOp}: a number is an operation of this router, "shard:number" one of a shard. */
final class KillShardOperation implements Command {
  private static final int TEXT_MIN = 3;

  private final Command here;
  private final RoutingCatalog catalog;
  private final AllShards shards;

  /**
   * @param here ends operations of this router
   */
  KillShardOperation(Command here, RoutingCatalog catalog, AllShards shards) {
    this.here = here;
    this.catalog = catalog;
    this.shards = shards;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawValue op = request.body().get("op");
    if (op == null) {
      throw new CommandException(ErrorCode.KILL_OP_WITHOUT_OP, "Did not provide \"op\" field");
    }
    if (op.isNumber()) {
      here.run(request, context, reply);
      return;
    }
    if (!op.isString()) {
      throw new CommandException(
          ErrorCode.KILL_OP_TYPE,
          "\"op\" field was of unsupported type " + ElementType.alias(op.type()));
    }
    kill(op.asString(), context, reply);
  }

  private void kill(String text, CommandContext context, BsonBuilder reply) {
    int colon = text.indexOf(':');
    if (text.length() < TEXT_MIN || colon <= 0 || colon == text.length() - 1) {
      throw new CommandException(
          ErrorCode.KILL_OP_FORMAT,
          "The op argument to killOp must be of the format shardid:opid but found \""
              + text
              + "\"");
    }
    String shard = catalog.shard(context.operation(), text.substring(0, colon)).name();
    int id = number(text.substring(colon + 1));
    reply.appendString("shard", shard).appendInt32("shardid", id);
    var command = new BsonBuilder().appendInt32("killOp", 1).appendInt32("op", id);
    // As mongos, which reports success whatever the shard says.
    shards
        .calls()
        .start(context.operation(), ShardRequest.control(shard, "admin", command.toDocument()))
        .await(context.operation());
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "Did not consume whole string: \"" + text + "\"");
    }
  }
}
