package dev.wisent.server.node;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.ServerLog;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.operation.Operations;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.ServerServices;
import dev.wisent.server.StoreServices;
import dev.wisent.server.access.MemberConnections;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.dispatch.CommandRunner;
import dev.wisent.server.failpoint.FailPoints;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.topology.TopologyIdentity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntSupplier;

/**
 * What a server is in its deployment: it provides what commands work on. Sockets, dispatch and
 * commands are the same for all roles. A role refuses what it does not have.
 */
public interface ServerRole extends AutoCloseable {
  /** Opens a role for a server that is about to listen. */
  @FunctionalInterface
  interface Opener {
    /**
     * @param port where clients reach the server, once it listens
     * @param members how other nodes are reached
     */
    ServerRole open(
        ServerOptions options,
        TopologyIdentity topology,
        Clock clock,
        RandomSource random,
        ServerLog log,
        BackgroundLoops loops,
        IntSupplier port,
        MemberConnections members);
  }

  /** Decides which commands there are. */
  NodeRole kind();

  Operations operations();

  Transactions transactions();

  /** What a role with a store of its own has besides; empty for any other. */
  Optional<StoreServices> stored();

  /** Gives the role what it uses of the server, before the first command. */
  void connect(MessageMemory memory, FailPoints failPoints);

  /** Commands that only this role has. Called once, before the first command. */
  default List<CommandSpec> commands(ServerServices services) {
    return List.of();
  }

  /** How the role runs commands. Called once, before the first command. */
  CommandRunner runner(ServerServices services);

  /** What the role does in the background; the server starts and ends it. */
  List<BackgroundLoop> jobs();

  /** Begins to work, now that others can reach the server. */
  void start();

  /** How many changes the log brought back after a crash; empty if there was none. */
  OptionalLong recoveredChanges();

  /** Lets another server take over before this one goes. */
  void resign();

  @Override
  void close();
}
