package dev.wisent.cluster;

import dev.wisent.cluster.router.RouterRole;
import dev.wisent.cluster.shard.ShardServer;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.node.DataNodeAssembly;
import dev.wisent.server.node.ServerRole;

/** From the options of a server to its role. */
public final class ClusterRoles {
  private ClusterRoles() {}

  public static ServerRole.Opener opener(ServerOptions options) {
    return switch (options.clusterRole()) {
      case NONE -> DataNodeAssembly::open;
      case ROUTER -> RouterRole::open;
      case CONFIG_SERVER -> DataNodeAssembly.extendedBy(DefaultPort.checked(ConfigMember.opener()));
      case SHARD_SERVER -> DataNodeAssembly.extendedBy(DefaultPort.checked(ShardServer.opener()));
    };
  }
}
