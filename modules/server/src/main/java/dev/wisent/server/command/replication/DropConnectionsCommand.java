package dev.wisent.server.command.replication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.wire.HostAndPort;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** {@code dropConnections}: closes the connections that this node keeps to other hosts. */
public final class DropConnectionsCommand implements Command {
  private final Consumer<Set<HostAndPort>> drop;

  /**
   * @param drop closes the connections to some hosts
   */
  public DropConnectionsCommand(Consumer<Set<HostAndPort>> drop) {
    this.drop = drop;
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
    drop.accept(hosts);
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
