package dev.wisent.cluster.router.statistics;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardReply;

/** {@code validate} over all shards: whether all parts are valid, and what each shard says. */
final class ValidateReply {
  private ValidateReply() {}

  static void append(GatheredCommands.Gathered gathered, BsonBuilder reply) {
    CommandException error = null;
    boolean valid = true;
    for (ShardReply each : gathered.replies()) {
      if (!each.isOk()) {
        error = error == null ? each.error() : error;
      } else {
        RawValue ofShard = each.body().get("valid");
        valid &= ofShard != null && ofShard.isTruthy();
      }
    }
    if (error != null) {
      throw error;
    }
    if (gathered.routing() == null) {
      ShardReply.appendResult(gathered.replies().getFirst().body(), reply);
    } else {
      reply.appendBoolean("valid", valid);
    }
    reply.startDocument("raw");
    for (ShardReply each : gathered.replies()) {
      reply.startDocument(each.request().shard());
      ShardReply.appendResult(each.body(), reply);
      reply.appendDouble("ok", 1).end();
    }
    reply.end();
  }
}
