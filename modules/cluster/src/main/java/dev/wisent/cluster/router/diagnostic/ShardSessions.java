package dev.wisent.cluster.router.diagnostic;

import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.diagnostic.NamedSessions;

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
          shards.tellMembers(NamedSessions.forShards(request));
        });
  }

  /** Kills sessions there too, also those of other routers. */
  CommandSpec doneBy(CommandSpec here) {
    return here.running(
        (request, context, reply) -> {
          here.command().run(request, context, reply);
          shards.callMembers(context.operation(), NamedSessions.forShards(request));
        });
  }
}
