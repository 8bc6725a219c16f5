package dev.wisent.cluster.router.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;

/**
 * Commands about sessions, which shards know from the requests that they get: what is done here is
 * done there too. A member that does not answer ends what belongs to a session when that expires.
 */
final class ShardSessions {
  private final AllShards shards;

  ShardSessions(AllShards shards) {
    this.shards = shards;
  }

  /** Refreshes and ends sessions there too, without waiting for it. */
  CommandSpec toldTo(CommandSpec here) {
    return here.running(
        (request, context, reply) -> {
          here.command().run(request, context, reply);
          shards.tellMembers(same(request));
        });
  }

  /** Kills sessions there too, also those of other routers. */
  CommandSpec doneBy(CommandSpec here) {
    return here.running(
        (request, context, reply) -> {
          here.command().run(request, context, reply);
          shards.callMembers(context.operation(), same(request));
        });
  }

  private static RawDocument same(CommandRequest request) {
    return new BsonBuilder().append(request.name(), request.argument()).toDocument();
  }
}
