package dev.wisent.database.ownership;

import dev.wisent.database.gate.WriteGate;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps writes out of collections while a coordinator changes them on all their shards. What is
 * blocked is in the tables, and so survives restarts and elections. A write first counts itself and
 * then looks for a block; a block is first stored and then looks at the counts. One of the two sees
 * the other. Thread-safe.
 */
public final class WriteBlocks {
  private static final String VIEWS = "system.views";

  private final Ownership ownership;
  private final ChangeSignal left = new ChangeSignal();

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
    running.merge(namespace, 1, Integer::sum);
    boolean blocked = true;
    try {
      blocked = ownership.tables().isBlocked(namespace);
      return blocked ? null : () -> leave(namespace);
    } finally {
      if (blocked) {
        leave(namespace);
      }
    }
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

  /** The end of leadership ends the wait: the gate then refuses the write. */
  private void awaitUnblocked(Namespace namespace, OperationContext operation, WriteGate gate) {
    ownership.awaitTables(
        operation, tables -> !tables.isBlocked(namespace) || !gate.isOpen(), Long.MAX_VALUE);
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
   * Waits for the writes that were under way when a block was stored.
   *
   * @param name of a collection, in full, or of a database; with a dot, of its unsharded
   *     collections
   */
  public void awaitEmpty(String name, OperationContext operation) {
    operation.await(
        timeoutNanos -> {
          if (!isRunning(name)) {
            return true;
          }
          left.awaitChange(Math.min(timeoutNanos, Ownership.LOOK_NANOS));
          return false;
        });
  }

  private boolean isRunning(String name) {
    ShardTables tables = ownership.tables();
    return running.keySet().stream().anyMatch(namespace -> tables.isCovered(namespace, name));
  }
}
