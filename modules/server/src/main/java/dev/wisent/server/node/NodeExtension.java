package dev.wisent.server.node;

import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.diagnostic.ServerStatusCommand;
import dev.wisent.server.dispatch.CommandInterceptor;
import java.util.List;
import java.util.Map;

/** What a data node does besides, as a part of a sharded cluster. */
public interface NodeExtension extends AutoCloseable {
  /** A node that is in no cluster. */
  NodeExtension NONE = new NodeExtension() {};

  /** Makes the extension of a node whose data is open. */
  @FunctionalInterface
  interface Opener {
    NodeExtension open(DataNode node);
  }

  default NodeRole kind() {
    return NodeRole.DATA_NODE;
  }

  /** Commands beside those of every node. Called once, before the first command. */
  default List<CommandSpec> commands(ServerServices services) {
    return List.of();
  }

  /** What it adds to {@code serverStatus}. Called once, after the commands. */
  default Map<String, ServerStatusCommand.Section> statusSections() {
    return Map.of();
  }

  default CommandInterceptor interceptor() {
    return new UnshardedRequests();
  }

  /** What it does in the background; the server starts and ends it. */
  default List<BackgroundLoop> jobs() {
    return List.of();
  }

  /** Begins to work, now that others can reach the server. */
  default void start() {}

  @Override
  default void close() {}
}
