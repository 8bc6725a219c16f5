package dev.wisent.database.ownership;

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

  private final Ownership ownership;
  private final ChangeSignal left = new ChangeSignal();

  /** Collections of which it is about to change what this shard owns. */
  private final Set<Namespace> changing = ConcurrentHashMap.newKeySet();

  /** How many writes are under way. */
  private final ConcurrentHashMap<Namespace, Integer> running = new ConcurrentHashMap<>();

  WriteBlocks(Ownership ownership) {
    this.ownership = ownership;
  }

  /** A write under way, until it is closed. */
  public interface Pass extends AutoCloseable {
    /** Of a node that is no shard. */
    Pass UNCOUNTED = () -> {};

    @Override
    void close();
  }

  /** Lets a write begin; null where the collection is blocked. */
  public Pass tryEnter(Namespace namespace) {
    if (!ownership.isInUse() || namespace.isInternal() || isOfDefinitions(namespace)) {
      return Pass.UNCOUNTED;
    }
    count(namespace);
    boolean blocked = true;
    try {
      blocked = isBlocked(namespace, ownership.tables());
      return blocked ? null : () -> leave(namespace);
    } finally {
      if (blocked) {
        leave(namespace);
      }
    }
  }

  /** Counts what an earlier leader has prepared: a block waits for its end, and it for none. */
  public Pass resume(Namespace namespace) {
    if (!ownership.isInUse() || namespace.isInternal()) {
      return Pass.UNCOUNTED;
    }
    count(namespace);
    return () -> leave(namespace);
  }

  private void count(Namespace namespace) {
    running.merge(namespace, 1, Integer::sum);
  }

  private boolean isBlocked(Namespace namespace, ShardTables tables) {
    return changing.contains(namespace) || tables.isBlocked(namespace);
  }

  /** Views are documents: what defines them has its own pass, or is a coordinator's. */
  private static boolean isOfDefinitions(Namespace namespace) {
    return namespace.collection().equals(VIEWS);
  }

  /** Lets a write begin, as soon as the collection is not blocked. Waits outside of the gate. */
  public Pass enter(Namespace namespace, OperationContext operation, WriteGate gate) {
    while (true) {
      Pass pass = tryEnter(namespace);
      if (pass != null) {
        return pass;
      }
      gate.outside(operation, () -> awaitUnblocked(namespace, operation, gate));
      operation.checkNow();
    }
  }

  /**
   * Lets a write of several collections begin, as soon as none of them is blocked. Nothing is held
   * during the wait: a coordinator that blocks one of them may wait for the writes of another.
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
      gate.outside(operation, () -> awaitUnblocked(awaited, operation, gate));
      operation.checkNow();
    }
  }

  /** Returns the first one that is blocked; null if none is. */
  private Namespace tryEnterAll(Set<Namespace> namespaces, List<Pass> passes) {
    for (Namespace namespace : namespaces) {
      Pass pass = tryEnter(namespace);
      if (pass == null) {
        return namespace;
      }
      passes.add(pass);
    }
    return null;
  }

  /** The end of leadership ends the wait: the gate then refuses the write. */
  private void awaitUnblocked(Namespace namespace, OperationContext operation, WriteGate gate) {
    ownership.awaitTables(
        operation, tables -> !isBlocked(namespace, tables) || !gate.isOpen(), Long.MAX_VALUE);
    if (!gate.isOpen()) {
      gate.enter(operation);
      gate.leave();
    }
  }

  private void leave(Namespace namespace) {
    running.computeIfPresent(namespace, (name, count) -> count == 1 ? null : count - 1);
    left.signal();
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
   * The same, if all writes that are under way end within a time; otherwise nothing happens, and
   * writes that have waited meanwhile go on.
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
    long term = gate.closings();
    long start = operation.clock().monotonicNanos();
    boolean[] empty = {false};
    operation.await(
        timeoutNanos -> {
          empty[0] = !isRunning(name);
          // The end of leadership lets go what is prepared, until it is taken up again.
          requireTerm(gate, term);
          if (empty[0] || operation.clock().monotonicNanos() - start >= nanosMax) {
            return true;
          }
          left.awaitChange(Math.min(timeoutNanos, Ownership.LOOK_NANOS));
          return false;
        });
    return empty[0];
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
    return running.keySet().stream().anyMatch(namespace -> tables.isCovered(namespace, name));
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
