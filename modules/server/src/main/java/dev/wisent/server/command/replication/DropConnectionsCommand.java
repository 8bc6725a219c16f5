package dev.wisent.server.command.replication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.wire.HostAndPort;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** {@code dropConnections}: closes the connections that this node keeps to other hosts. */
final class DropConnectionsCommand implements Command {
  private final Optional<ReplicaSet> set;

  /**
   * @param set empty for a standalone, which has no such connections
   */
  DropConnectionsCommand(Optional<ReplicaSet> set) {
    this.set = set;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Set<HostAndPort> hosts = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "hostAndPort" -> hosts = hosts(reader);
        default -> reader.unknown();
      }
    }
    if (hosts == null) {
      throw ArgumentTypes.missing("dropConnections.hostAndPort");
    }
    if (set.isPresent()) {
      set.get().nodes().dropConnections(hosts);
    }
  }

  private static Set<HostAndPort> hosts(ArgumentReader reader) {
    var hosts = new HashSet<HostAndPort>();
    ElementCursor elements = reader.array().elements();
    while (elements.next()) {
      String path = reader.path() + "." + elements.name();
      hosts.add(HostAndPort.parse(ArgumentTypes.string(path, elements.value())));
    }
    return hosts;
  }
}
