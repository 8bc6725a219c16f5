package dev.wisent.cluster.router;

import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.server.access.UserDirectory;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import java.util.List;

/** Has the config servers do what concerns users and roles: there are those of the cluster. */
final class UserForwarding {
  /** What concerns the router itself. */
  private static final String OF_ROUTER = "invalidateUserCache";

  private final ConfigForwarding config;
  private final ShardCalls calls;
  private final UserDirectory users;

  /**
   * @param users as this router knows them
   */
  UserForwarding(ConfigForwarding config, ShardCalls calls, UserDirectory users) {
    this.config = config;
    this.calls = calls;
    this.users = users;
  }

  /** The rows of a router for those of a node. */
  List<CommandSpec> rows(List<CommandSpec> ofNode) {
    return ofNode.stream()
        .map(row -> row.name().equals(OF_ROUTER) ? row : row.running(forwarded(row)))
        .toList();
  }

  private Command forwarded(CommandSpec row) {
    boolean writes = row.is(CommandTrait.WRITE_CONCERN);
    return (request, context, reply) -> {
      try {
        ShardReply.appendResult(
            calls.call(context.operation(), config.same(request, writes)), reply);
      } finally {
        if (writes) {
          users.invalidate();
        }
      }
    };
  }
}
