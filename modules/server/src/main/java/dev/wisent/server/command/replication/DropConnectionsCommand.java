package dev.wisent.server.command.replication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.replication.ReplicaSetControl;
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
  private final Optional<ReplicaSetControl> control;

  /**
   * @param control empty for a standalone, which has no such connections
   */
  DropConnectionsCommand(Optional<ReplicaSetControl> control) {
    this.control = control;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Set<String> hosts = null;
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
    if (control.isPresent()) {
      control.get().dropLinks(hosts);
    }
  }

  private static Set<String> hosts(ArgumentReader reader) {
    var hosts = new HashSet<String>();
    ElementCursor elements = reader.array().elements();
    while (elements.next()) {
      String path = reader.path() + "." + elements.name();
      hosts.add(HostAndPort.parse(ArgumentTypes.string(path, elements.value())).toString());
    }
    return hosts;
  }
}
