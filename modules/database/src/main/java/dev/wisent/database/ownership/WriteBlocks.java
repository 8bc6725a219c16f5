package dev.wisent.database.ownership;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.RequestVersions;
import dev.wisent.sharding.StaleConfigException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Keeps writes out of collections while a coordinator changes them on all their shards. What is
 * blocked is in the tables, and so survives restarts and elections. A write first counts itself and
 * then looks for a block; a block is first stored and then looks at the counts. One of the two sees
 * the other. Thread-safe.
 */
public final class WriteBlocks {
  private static final String VIEWS = "system.views";

  /** Fails where the leadership has ended under which a change of this thread began. */
  private static final ScopedValue<Runnable> TERM_CHECK = ScopedValue.newInstance();

  /** By how much a write of unknown length counts as older than it is. */
  public static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** An election of the donor takes less; then its next primary tells the outcome. */
  private static final long OUTCOME_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);

  private final Ownership ownership;
  private final Clock clock;
  private final ChangeSignal left = new ChangeSignal();

  /** Collections of which it is about to change what this shard owns. */
  private final Set<Namespace> changing = ConcurrentHashMap.newKeySet();

  /** Until when long writes wait for the outcomes of migrations to this shard. */
  private final ConcurrentHashMap<Namespace, Long> outcomeDeadlines = new ConcurrentHashMap<>();

  /** The writes that are under way. */
  private final Set<RunningWrite> running = ConcurrentHashMap.newKeySet();

  WriteBlocks(Ownership ownership, Clock clock) {
    this.ownership = ownership;
    this.clock = clock;
  }

  /** How long a write has its pass. */
  public enum Length {
    /** For one unit, which waits for no other write. */
    SHORT,

    /** For many documents, or until a prepared transaction ends. */
    LONG
  }

  /** A write under way, until it is closed. */
  public interface Pass extends AutoCloseable {
    /** Of a node that is no shard. */
    Pass UNCOUNTED = () -> {};

    @Override
    void close();
  }

  /** Compared by identity. */
  private final class RunningWrite implements Pass {
    private final Namespace namespace;
    private final Length length;
    private final long startNanos;

    RunningWrite(Namespace namespace, Length length) {
      this.namespace = namespace;
      this.length = length;
      this.startNanos = clock.monotonicNanos();
      running.add(this);
    }

    /** Whether it has taken at least that long, or may be expected to. */
    boolean isOlder(long nanos, long now) {
      return now - startNanos >= (length == Length.LONG ? nanos - LONG_NANOS : nanos);
    }

    @Override
    public void close() {
      running.remove(this);
      left.signal();
    }
  }

  /**
   * Lets a write begin; null where the collection is blocked. See {@link #awaitOutcome} for long
   * ones.
   */
  public Pass tryEnter(Namespace namespace, Length length) {
    if (!ownership.isInUse() || namespace.isInternal() || isOfDefinitions(namespace)) {
      return Pass.UNCOUNTED;
    }
    var write = new RunningWrite(namespace, length);
    boolean blocked = true;
    try {
      blocked = isBlocked(namespace, length);
      return blocked ? null : write;
    } finally {
      if (blocked) {
        write.close();
      }
    }
  }

  /** Counts what an earlier leader has prepared: a block waits for its end, and it for none. */
  public Pass resume(Namespace namespace) {
    if (!ownership.isInUse() || namespace.isInternal()) {
      return Pass.UNCOUNTED;
    }
    return new RunningWrite(namespace, Length.LONG);
  }

  /** The tables come second: they have what was changed exclusively until now. */
  private boolean isBlocked(Namespace namespace, Length length) {
    return changing.contains(namespace) || isBlocked(namespace, length, ownership.tables());
  }

  private boolean isBlocked(Namespace namespace, Length length, ShardTables tables) {
    return tables.isBlocked(namespace)
        || (length == Length.LONG
            && tables.isAboutToOwn(namespace)
            && clock.monotonicNanos() < outcomeDeadlines.getOrDefault(namespace, Long.MIN_VALUE));
  }

  /**
   * Has long writes wait until the outcome of a migration to this shard is known: the range is
   * nowhere until it is taken over, which waits for all writes under way. They wait for a minute at
   * most, as there may be neither a donor nor a config server that would tell. To be called in the
   * exclusive change that stores the migration.
   */
  public void awaitOutcome(Namespace namespace) {
    outcomeDeadlines.put(namespace, clock.monotonicNanos() + OUTCOME_NANOS_MAX);
  }

  /** Views are documents: what defines them has its own pass, or is a coordinator's. */
  private static boolean isOfDefinitions(Namespace namespace) {
    return namespace.collection().equals(VIEWS);
  }

  /** Lets a write begin, as soon as the collection is not blocked. Waits outside of the gate. */
  public Pass enter(
      Namespace namespace, Length length, OperationContext operation, WriteGate gate) {
    while (true) {
      Pass pass = tryEnter(namespace, length);
      if (pass != null) {
        return pass;
      }
      gate.outside(operation, () -> awaitUnblocked(namespace, length, operation, gate));
      operation.checkNow();
    }
  }

  /**
   * Lets a long write of several collections begin, as soon as none of them is blocked. Nothing is
   * held during the wait: a coordinator that blocks one of them may wait for the writes of another.
   */
  public Pass enterAll(Set<Namespace> namespaces, OperationContext operation, WriteGate gate) {
    while (true) {
      var passes = new ArrayList<Pass>();
      Namespace blocked = null;
      boolean entered = false;
      try {
        blocked = tryEnterAll(namespaces, passes);
        entered = blocked == null;
      } finally {
        if (!entered) {
          passes.forEach(Pass::close);
        }
      }
      if (entered) {
        return () -> passes.forEach(Pass::close);
      }
      Namespace awaited = blocked;
      gate.outside(operation, () -> awaitUnblocked(awaited, Length.LONG, operation, gate));
      operation.checkNow();
    }
  }

  /** Returns the first one that is blocked; null if none is. */
  private Namespace tryEnterAll(Set<Namespace> namespaces, List<Pass> passes) {
    for (Namespace namespace : namespaces) {
      Pass pass = tryEnter(namespace, Length.LONG);
      if (pass == null) {
        return namespace;
      }
      passes.add(pass);
    }
    return null;
  }

  /** The end of leadership ends the wait: the gate then refuses the write. */
  private void awaitUnblocked(
      Namespace namespace, Length length, OperationContext operation, WriteGate gate) {
    ownership.awaitTables(
        operation,
        tables ->
            !(changing.contains(namespace) || isBlocked(namespace, length, tables))
                || !gate.isOpen(),
        Long.MAX_VALUE);
    if (!gate.isOpen()) {
      gate.enter(operation);
      gate.leave();
    }
  }

  /**
   * Changes what this shard owns of collections. No write of them is under way meanwhile, and no
   * prepared transaction has changes of them, so that what is counted by the tables stays right.
   * One change is made at a time; others of the same collections wait.
   */
  public void exclusively(
      Set<Namespace> namespaces, OperationContext operation, WriteGate gate, Runnable change) {
    long term = gate.closings();
    operation.await(
        timeoutNanos -> {
          if (tryClaim(namespaces)) {
            return true;
          }
          requireTerm(gate, term);
          left.awaitChange(Math.min(timeoutNanos, Ownership.LOOK_NANOS));
          return false;
        });
    try {
      namespaces.forEach(namespace -> awaitEmpty(namespace.full(), operation, gate));
      ScopedValue.where(TERM_CHECK, () -> requireTerm(gate, term)).run(change);
    } finally {
      release(namespaces);
    }
  }

  /**
   * Fails where the change that is made exclusively has outlived its leadership: what was prepared
   * is under way again since, and was not waited for. To be called in the transaction that changes
   * the tables, which ends with the leadership that it began under.
   */
  public static void checkTerm() {
    if (TERM_CHECK.isBound()) {
      TERM_CHECK.get().run();
    }
  }

  /**
   * Waits until no write of a collection is under way that is as old as that, and keeps none out
   * meanwhile. Long ones count as older than they are. After that {@link #tryExclusively} is likely
   * to succeed soon. The end of leadership ends the wait.
   *
   * @param nanosMax how long at most; zero to look once
   * @return whether that is so
   */
  public boolean awaitCalm(
      Namespace namespace,
      long ageNanos,
      OperationContext operation,
      WriteGate gate,
      long nanosMax) {
    return awaitNone(() -> isOlderRunning(namespace, ageNanos), operation, gate, nanosMax);
  }

  private boolean isOlderRunning(Namespace namespace, long ageNanos) {
    long now = clock.monotonicNanos();
    return running.stream()
        .anyMatch(write -> write.namespace.equals(namespace) && write.isOlder(ageNanos, now));
  }

  /**
   * The same as {@link #exclusively}, if all writes that are under way end within a time; otherwise
   * nothing happens, and writes that have waited meanwhile go on.
   *
   * @return whether the change was made
   */
  public boolean tryExclusively(
      Namespace namespace,
      OperationContext operation,
      WriteGate gate,
      long nanosMax,
      Runnable change) {
    long term = gate.closings();
    if (!tryClaim(Set.of(namespace))) {
      return false;
    }
    try {
      if (!awaitEmpty(namespace.full(), operation, gate, nanosMax)) {
        return false;
      }
      ScopedValue.where(TERM_CHECK, () -> requireTerm(gate, term)).run(change);
      return true;
    } finally {
      release(Set.of(namespace));
    }
  }

  /** Marks collections as about to change, unless one of them is. */
  private synchronized boolean tryClaim(Set<Namespace> namespaces) {
    if (!Collections.disjoint(changing, namespaces)) {
      return false;
    }
    changing.addAll(namespaces);
    return true;
  }

  private void release(Set<Namespace> namespaces) {
    changing.removeAll(namespaces);
    left.signal();
    ownership.changed();
  }

  /**
   * Waits for the writes that were under way when a block was stored, and for the end of what was
   * prepared: coordinators copy and count what is there. The end of leadership ends the wait.
   *
   * @param name of a collection, in full, or of a database; with a dot, of its unsharded
   *     collections
   */
  public void awaitEmpty(String name, OperationContext operation, WriteGate gate) {
    var unused = awaitEmpty(name, operation, gate, Long.MAX_VALUE);
  }

  private boolean awaitEmpty(
      String name, OperationContext operation, WriteGate gate, long nanosMax) {
    return awaitNone(() -> isRunning(name), operation, gate, nanosMax);
  }

  private boolean awaitNone(
      BooleanSupplier isThere, OperationContext operation, WriteGate gate, long nanosMax) {
    long term = gate.closings();
    long start = clock.monotonicNanos();
    boolean[] none = {false};
    operation.await(
        timeoutNanos -> {
          none[0] = !isThere.getAsBoolean();
          // The end of leadership lets go what is prepared, until it is taken up again.
          requireTerm(gate, term);
          if (none[0] || clock.monotonicNanos() - start >= nanosMax) {
            return true;
          }
          left.awaitChange(Math.min(timeoutNanos, Ownership.LOOK_NANOS));
          return false;
        });
    return none[0];
  }

  private static void requireTerm(WriteGate gate, long term) {
    if (!gate.isOpen() || gate.closings() != term) {
      throw new CommandException(
          ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE,
          "this member leads no longer, and waits for no writes");
    }
  }

  private boolean isRunning(String name) {
    ShardTables tables = ownership.tables();
    return running.stream().anyMatch(write -> tables.isCovered(write.namespace, name));
  }

  /**
   * A retryable write has the turn of its session. Where a coordinator keeps it out, it goes back
   * to its router and comes again, to wait where it has none: the coordinator may wait for records
   * of that session.
   */
  void leaveTurn(Namespace namespace, OperationContext operation) {
    RequestVersions routed = OperationState.routed(operation);
    ShardTables tables = ownership.tables();
    OwnedRanges owned = tables.collection(namespace);
    if (routed != null
        && owned != null
        && operation.retryableWrite() != null
        && OperationState.scope(operation) == null
        && tables.isBlocked(namespace)) {
      throw new StaleConfigException(
          "writes of " + namespace + " are kept out",
          namespace,
          routed.of(namespace),
          owned.version(),
          routed.shard());
    }
  }
}
