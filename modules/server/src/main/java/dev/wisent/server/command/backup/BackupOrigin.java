package dev.wisent.server.command.backup;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.HostNames;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.ServerVersion;
import java.util.Optional;
import java.util.function.IntSupplier;

/** What a backup tells about the node that it is of. */
final class BackupOrigin {
  private final ServerOptions options;
  private final Optional<ReplicaSet> set;
  private final IntSupplier port;

  BackupOrigin(ServerOptions options, Optional<ReplicaSet> set, IntSupplier port) {
    this.options = options;
    this.set = set;
    this.port = port;
  }

  void describe(BsonBuilder reply) {
    reply.appendString("version", ServerVersion.WISENT);
    reply.appendString("compatibleWith", ServerVersion.COMPATIBLE_WITH);
    String me = set.map(ReplicaSet::me).orElse(null);
    reply.appendString("host", me == null ? HostNames.local() + ":" + port.getAsInt() : me);
    if (options.clusterRole() != ClusterRole.NONE) {
      reply.appendString("clusterRole", options.clusterRole().optionValue());
    }
    set.ifPresent(
        present -> {
          reply.appendString("setName", present.name());
          present
              .config()
              .map(ReplicaSetConfig::logGroup)
              .ifPresent(group -> reply.appendString("logGroup", group.toString()));
        });
  }
}
