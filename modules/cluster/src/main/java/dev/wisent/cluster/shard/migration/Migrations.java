package dev.wisent.cluster.shard.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.shard.range.RangeDeletions;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.node.DataNode;
import dev.wisent.server.operation.BackgroundOperation;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** The migrations that this shard takes part in. */
public final class Migrations {
  private static final Duration DELIVERY_PERIOD = Duration.ofSeconds(1);
  private static final Duration COMPARISON_PERIOD = Duration.ofMillis(100);
  private static final long DELIVERY_MILLIS_MAX = 20_000;

  private final DataNode node;
  private final Ownership ownership;
  private final WriteGate gate;
  private final Supplier<ShardCalls> calls;
  private final MigrationFigures figures = new MigrationFigures();
  private final BackgroundLoop delivery;
  private final BackgroundLoop comparison;

  /** Set before the first command. */
  private volatile Donor donor;

  /** Set before the first command. */
  private volatile Receptions receptions;

  /** Set before the first command. */
  private volatile ForegroundPace pace;

  /** Set before the first command. */
  private volatile RestoredTables restored;

  /** Of the loop: whether this member led when it looked last. */
  private boolean led;

  /** Set before the first command. */
  private volatile UnsettledMigrations unsettled;

  public Migrations(DataNode node, Ownership ownership, Supplier<ShardCalls> calls) {
    this.node = node;
    this.ownership = ownership;
    this.gate = node.database().shared().writeGate();
    this.calls = calls;
    this.delivery = node.loops().every(DELIVERY_PERIOD, "migration-delivery", this::deliver);
    this.comparison = node.loops().every(COMPARISON_PERIOD, "restored-tables", this::compare);
  }

  /** The commands of both roles; to be called once. */
  public List<CommandSpec> open(
      ServerServices services,
      RangeTables tables,
      RangeDeletions deletions,
      EndedMigrations ended,
      RecipientCollection collections) {
    var store =
        new MigrationStore(
            node.operations(), node.definitions(), ownership, tables, ended, node.clock());
    pace =
        new ForegroundPace(
            services.metrics()::foregroundMicros,
            services.metrics()::foregroundCount,
            node.clock()::monotonicNanos);
    ShownMigration.Shown shown =
        (description, namespace, operation) -> {
          BackgroundOperation begun =
              services.operations().startInBackground(description, "command", namespace, operation);
          return () -> services.operations().end(begun);
        };
    unsettled = new UnsettledMigrations(services.operations(), node.clock());
    var sessions = node.database().shared().retryableWrites().copies();
    donor =
        new Donor(
            store,
            ownership,
            tables,
            node.operations(),
            node.definitions(),
            new RecipientCalls(calls),
            sessions,
            (point, operation) -> {
              if (services.failPoints().crashesAt("migration." + point, operation)) {
                throw new CommandException(
                    ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE, "crash at " + point);
              }
            },
            figures,
            deletions,
            gate,
            shown,
            pace,
            () -> ReadState.ofCopy(node.database().shared().storage()),
            node.clock());
    var recipient =
        new Recipient(
            store,
            ownership,
            tables,
            node.operations(),
            node.definitions(),
            sessions,
            deletions,
            gate,
            figures);
    ownership.incomingMigrations(recipient);
    receptions = new Receptions(shown, node.clock());
    restored =
        new RestoredTables(
            store,
            ownership,
            tables,
            node.operations(),
            node.definitions(),
            new ConfigOwnership(calls),
            gate,
            node.random(),
            node.clock(),
            node.log().of(LogComponent.SHARDING));
    return new MigrationCommands(
            donor, recipient, collections, receptions, pace, new CallOrder(gate))
        .rows();
  }

  /** How copies let clients go first; there once the commands are. */
  public ForegroundPace pace() {
    return pace;
  }

  public MigrationFigures figures() {
    return figures;
  }

  public List<BackgroundLoop> jobs() {
    return List.of(delivery, comparison);
  }

  /** Has a request of a router wait until it is known that the tables are no older backup's. */
  public void awaitCompared(OperationContext operation) {
    RestoredTables known = restored;
    if (known != null) {
      known.await(operation);
    }
  }

  private void compare() {
    RestoredTables known = restored;
    if (known != null) {
      known.turn();
    }
  }

  /**
   * What was decided reaches the recipient also where the coordinator and the primary that decided
   * have gone.
   */
  private void deliver() {
    Donor known = donor;
    if (known == null) {
      return;
    }
    pace.rest();
    known.dropEarlierTerms();
    boolean leads = gate.isOpen();
    boolean anew = leads && !led;
    led = leads;
    if (!leads) {
      receptions.clear();
    }
    if (!leads || node.definitions().find(MigrationStore.DONATIONS) == null) {
      unsettled.show(List.of());
      return;
    }
    OperationContext operation = OperationContext.internal(node.clock());
    operation.limitMillis(DELIVERY_MILLIS_MAX);
    if (anew) {
      figures.add(MigrationFigures.Figure.UNFINISHED, known.unfinished(operation));
    }
    List<Migration> decided = known.decided(operation);
    unsettled.show(decided);
    for (Migration migration : decided) {
      var unused = known.deliver(operation, migration);
    }
  }
}
