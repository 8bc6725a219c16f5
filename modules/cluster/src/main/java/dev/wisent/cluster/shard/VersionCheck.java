package dev.wisent.cluster.shard;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.ownership.ShardTables;
import dev.wisent.database.ownership.WriteBlocks;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.view.Views;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.dispatch.CommandInterceptor;
import dev.wisent.server.operation.RunningOperation;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.RequestVersions;
import dev.wisent.sharding.StaleConfigException;
import dev.wisent.sharding.StaleDatabaseException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Compares the versions that a request was routed with to those of this shard, before its command
 * runs. A request without versions comes from a direct connection or a coordinator, and is run as
 * it is. Thread-safe.
 */
final class VersionCheck implements CommandInterceptor {
  /** How long a secondary waits for an entry of the log that a router knows of already. */
  private static final long APPLY_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  /** How long a statement of a transaction waits for a coordinator. */
  private static final long STATEMENT_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(100);

  private final Ownership ownership;
  private final JoinCheck joins;
  private final WriteGate gate;
  private final CoordinatorCalls calls;
  private final Consumer<OperationContext> first;
  private final LongAdder staleErrors = new LongAdder();

  /**
   * @param first has a request of a router wait until the tables can be relied on
   */
  VersionCheck(
      Ownership ownership,
      Views views,
      WriteGate gate,
      CoordinatorCalls calls,
      Consumer<OperationContext> first) {
    this.calls = calls;
    this.first = first;
    this.ownership = ownership;
    this.joins = new JoinCheck(views, ownership);
    this.gate = gate;
  }

  /** How many requests were routed by another version. */
  long staleErrors() {
    return staleErrors.sum();
  }

  @Override
  public void run(RunningOperation operation, BsonBuilder reply, Runnable command) {
    try {
      WriteInstructions.read(operation, ownership);
      calls.run(operation.request(), operation.context(), () -> runChecked(operation, command));
      WriteInstructions.appendMoved(reply, operation.context());
    } catch (StaleConfigException e) {
      staleErrors.increment();
      throw e;
    }
  }

  private void runChecked(RunningOperation operation, Runnable command) {
    CommandRequest request = operation.request();
    CommandKind kind = operation.spec().kind();
    if ((kind == CommandKind.WRITE || kind == CommandKind.DEFINITION)
        && Namespace.parse(request.database()).isInternal()) {
      RoutedRequest.namespaces(request).forEach(VersionCheck::refuseTable);
    }
    RoutedRequest routed = RoutedRequest.of(request);
    if (routed != null) {
      first.accept(operation.context());
    }
    if (routed != null && isAdmittedAsAWhole(request, kind, routed)) {
      runAdmitted(routed, operation.context(), command);
      return;
    }
    if (routed != null) {
      Predicate<ShardTables> isClosed = tables -> isHidden(routed, tables);
      if (kind == CommandKind.WRITE
          && (operation.context().retryableWrite() != null || request.isInTransaction())) {
        // Not in the turn of the session: what it has done may be copied meanwhile.
        isClosed = isClosed.or(tables -> isBlocked(routed, tables));
      }
      awaitOpen(isClosed, operation.context());
      OperationState.routed(operation.context(), check(routed, operation.context(), false));
      joins.check(request, operation.context());
    }
    command.run();
  }

  /**
   * Definitions are written as documents are, so a coordinator keeps those of routers out too. Its
   * own come without versions. Routers forward writes of unsharded collections as they came: if
   * they are stale, none of their statements may have run. So it is with what pipelines write.
   */
  private static boolean isAdmittedAsAWhole(
      CommandRequest request, CommandKind kind, RoutedRequest routed) {
    return kind == CommandKind.DEFINITION
        || routed.output()
        || (kind == CommandKind.WRITE
            && !routed.databases().isEmpty()
            && !request.isInTransaction());
  }

  /** Waits first for coordinators, and compares versions then. */
  private void runAdmitted(RoutedRequest routed, OperationContext operation, Runnable command) {
    Set<Namespace> names = routed.collections().keySet();
    try (WriteBlocks.Pass pass = ownership.blocks().enterAll(names, operation, gate)) {
      OperationState.routed(operation, check(routed, operation, true));
      command.run();
    }
  }

  private static void refuseTable(Namespace namespace) {
    if (Ownership.isTable(namespace)) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "cannot write to " + namespace + ": it says what this shard owns");
    }
  }

  private RequestVersions check(
      RoutedRequest request, OperationContext operation, boolean admitted) {
    ShardTables tables = ownership.tables();
    if (tables.identity() == null) {
      throw new CommandException(
          ErrorCode.SHARDING_STATE_NOT_INITIALIZED,
          "Cannot accept sharding commands if sharding state has not been initialized with a"
              + " shardIdentity document");
    }
    var versions =
        new RequestVersions(
            request.collections(),
            request.databases(),
            ShardIdentity.shardName(tables.identity()),
            admitted);
    CommandException stale = mismatch(tables, request, versions);
    if (stale != null && isOlderHere(stale) && mayChangeSoon(request, tables, admitted)) {
      stale = awaitApplied(request, versions, operation);
    }
    if (stale != null) {
      throw stale;
    }
    return versions;
  }

  /**
   * Where a coordinator hides what is asked for, or keeps a write out, the request waits for its
   * end, or for that of leadership. A statement of a transaction does so for a moment only: its
   * transaction may hold, here or on another shard, what the coordinator waits for.
   */
  private void awaitOpen(Predicate<ShardTables> isClosed, OperationContext operation) {
    boolean leads = gate.isOpen();
    long term = gate.closings();
    while (isClosed.test(ownership.tables())) {
      boolean inTransaction = OperationState.scope(operation) != null;
      boolean changed =
          ownership.awaitTables(
              operation,
              now -> !isClosed.test(now) || (leads && gate.closings() != term),
              inTransaction ? STATEMENT_NANOS_MAX : Long.MAX_VALUE);
      if (leads && gate.closings() != term) {
        throw new CommandException(
            ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE,
            "this member leads no longer, and a collection of the request is being changed");
      }
      if (!changed) {
        throw beingChanged();
      }
    }
  }

  private static boolean isBlocked(RoutedRequest request, ShardTables tables) {
    return !tables.blocked().isEmpty()
        && request.collections().keySet().stream().anyMatch(tables::isBlocked);
  }

  private static CommandException beingChanged() {
    return new CommandException(
        ErrorCode.WRITE_CONFLICT,
        "A collection of the transaction is being changed. Please retry your operation or"
            + " multi-document transaction.");
  }

  private static boolean isHidden(RoutedRequest request, ShardTables tables) {
    return !tables.hidden().isEmpty()
        && request.collections().keySet().stream().anyMatch(tables::isHidden);
  }

  /** A secondary has yet to apply what the primary has, or a coordinator is about to tell. */
  private boolean mayChangeSoon(RoutedRequest request, ShardTables tables, boolean admitted) {
    Set<Namespace> names = request.collections().keySet();
    return !gate.isOpen()
        || (!admitted && names.stream().anyMatch(tables::isBlocked))
        || names.stream().anyMatch(tables::isAboutToOwn)
        || names.stream().anyMatch(name -> ownership.isToBeSharded(name, tables));
  }

  /** Null where the versions are those of the tables. */
  private static CommandException mismatch(
      ShardTables tables, RoutedRequest request, RequestVersions versions) {
    try {
      for (var database : request.databases().entrySet()) {
        tables.check(database.getKey(), database.getValue());
      }
      for (Namespace namespace : request.collections().keySet()) {
        tables.check(namespace, versions);
      }
      return null;
    } catch (StaleConfigException | StaleDatabaseException e) {
      return e;
    }
  }

  /** Whether the router may know of an entry of the log that this member has yet to apply. */
  private static boolean isOlderHere(CommandException stale) {
    return switch (stale) {
      case StaleConfigException config -> isOlder(config.wanted(), config.received());
      case StaleDatabaseException database ->
          database.wanted() == null || database.wanted().isOlderThan(database.received());
      default -> false;
    };
  }

  private static boolean isOlder(ChunkVersion here, ChunkVersion received) {
    return here == null
        || (here.isSameCollection(received)
            ? here.major() < received.major()
            : Long.compareUnsigned(here.timestamp(), received.timestamp()) < 0);
  }

  /**
   * Null as soon as the versions fit; otherwise what was wrong at the end of the wait. The outcome
   * of a migration is waited for as long as it takes; by a statement of a transaction for a moment,
   * since a write that holds the outcome up may wait for what the transaction has written.
   */
  private CommandException awaitApplied(
      RoutedRequest request, RequestVersions versions, OperationContext operation) {
    CommandException[] stale = {null};
    Set<Namespace> names = request.collections().keySet();
    boolean comes = names.stream().anyMatch(ownership.tables()::isAboutToOwn);
    boolean inTransaction = OperationState.scope(operation) != null;
    long nanosMax = inTransaction ? STATEMENT_NANOS_MAX : Long.MAX_VALUE;
    ownership.awaitTables(
        operation,
        tables -> {
          stale[0] = mismatch(tables, request, versions);
          return stale[0] == null
              || !isOlderHere(stale[0])
              || !mayChangeSoon(request, tables, versions.admitted());
        },
        comes ? nanosMax : APPLY_NANOS_MAX);
    if (stale[0] != null
        && inTransaction
        && isOlderHere(stale[0])
        && names.stream().anyMatch(ownership.tables()::isAboutToOwn)) {
      throw beingChanged();
    }
    return stale[0];
  }
}
