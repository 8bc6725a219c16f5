package dev.wisent.cluster;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.node.DataNode;
import dev.wisent.server.node.NodeExtension;
import java.util.List;

/**
 * The default port depends on the role of a node. A member that gets a role when it is started
 * again would listen where the other members do not look for it.
 */
final class DefaultPort {
  private DefaultPort() {}

  /** Opens the extension of a node that is where its set expects it. */
  static NodeExtension.Opener checked(NodeExtension.Opener opener) {
    return node -> {
      check(node);
      return opener.open(node);
    };
  }

  private static void check(DataNode node) {
    ServerOptions options = node.options();
    if (!options.portByDefault()) {
      return;
    }
    List<String> hosts =
        node.replicaSet().flatMap(ReplicaSet::config).stream()
            .flatMap(config -> config.members().stream())
            .map(MemberConfig::host)
            .toList();
    if (!hosts.isEmpty() && hosts.stream().noneMatch(host -> isAt(host, options.port()))) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "This node is a member of the replica set %s, of which no member is at port %d: %s. That"
                  .formatted(
                      options.replicaSet().orElseThrow(), options.port(), String.join(", ", hosts))
              + " port is the default of its new role; start it with the --port that it had");
    }
  }

  private static boolean isAt(String host, int port) {
    return host.endsWith(":" + port);
  }
}
