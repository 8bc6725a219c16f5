package dev.wisent.conformance.fake;

import dev.wisent.base.Clock;
import dev.wisent.base.log.ServerLog;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.operation.Operations;
import dev.wisent.operation.backup.Backups;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.operation.diagnostic.PlanCaches;
import dev.wisent.operation.oplog.OplogControl;
import dev.wisent.operation.transaction.NoTransactions;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.ServerServices;
import dev.wisent.server.StoreServices;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.dispatch.CommandInterceptor;
import dev.wisent.server.dispatch.CommandRunner;
import dev.wisent.server.dispatch.NodeCommandRunner;
import dev.wisent.server.failpoint.FailPoints;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.node.ServerRole;
import dev.wisent.server.node.WisentServer;
import dev.wisent.server.transport.ListenException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A role whose collections are in memory. */
public final class FakeRole implements ServerRole {
  private final FakeStore store = new FakeStore();
  private final FakeOperations operations = new FakeOperations(store);

  /**
   * Starts the real server in this role, with test commands.
   *
   * @param directory where nothing is written
   */
  public static WisentServer serve(Path directory) throws ListenException {
    return WisentServer.start(
        ServerOptions.builder(directory).port(0).setParameter("enableTestCommands", "1").build(),
        new ServerLog(line -> {}, Clock.system()),
        (options, topology, clock, random, log, loops, port, members) -> new FakeRole());
  }

  /** As a router: commands that need a store of the node's own do not exist. */
  @Override
  public NodeRole kind() {
    return NodeRole.ROUTER;
  }

  @Override
  public Operations operations() {
    return operations;
  }

  @Override
  public Transactions transactions() {
    return new NoTransactions();
  }

  @Override
  public Optional<StoreServices> stored() {
    return Optional.of(
        new StoreServices(
            new FakeDefinitions(store),
            Refused.of(Diagnostics.class),
            Refused.of(PlanCaches.class),
            new FakeNodeStore(operations),
            Refused.of(OplogControl.class),
            operations,
            Refused.of(Backups.class),
            Optional.empty(),
            Optional.empty()));
  }

  @Override
  public CommandRunner runner(ServerServices services) {
    return new NodeCommandRunner(services, CommandInterceptor.NONE);
  }

  @Override
  public void connect(MessageMemory memory, FailPoints failPoints) {
    // Nothing here reads large values or builds indexes.
  }

  @Override
  public List<BackgroundLoop> jobs() {
    return List.of();
  }

  @Override
  public void start() {}

  @Override
  public OptionalLong recoveredChanges() {
    return OptionalLong.empty();
  }

  @Override
  public void resign() {}

  @Override
  public void close() {}
}
