package dev.wisent.database.collection;

import dev.wisent.database.gate.WriteGate;
import dev.wisent.operation.OperationContext;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Has one change of the catalog made at a time, inside the write gate. A change that prepared
 * transactions are in the way of leaves both, waits for their end, which other shards decide, and
 * is run again. Thread-safe.
 */
final class CatalogLock {
  private final WriteGate gate;
  private final ReentrantLock changing = new ReentrantLock();

  CatalogLock(WriteGate gate) {
    this.gate = gate;
  }

  /**
   * Runs a change alone; one inside of another belongs to that.
   *
   * @param change it may run several times, each time up to its first write
   */
  <T> T exclusively(OperationContext operation, Supplier<T> change) {
    if (changing.isHeldByCurrentThread()) {
      return change.get();
    }
    PreparedCount refused = null;
    try {
      while (true) {
        try {
          return alone(operation, change);
        } catch (UndecidedWritesException e) {
          if (refused != e.prepared()) {
            readmit(refused);
            refused = e.prepared();
            refused.refuse();
          }
          PreparedCount undecided = refused;
          gate.outside(operation, () -> undecided.awaitNone(gate, operation));
        }
      }
    } finally {
      readmit(refused);
    }
  }

  private static void readmit(PreparedCount refused) {
    if (refused != null) {
      refused.readmit();
    }
  }

  private <T> T alone(OperationContext operation, Supplier<T> change) {
    gate.enter(operation);
    try {
      operation.acquire(changing);
      try {
        return change.get();
      } finally {
        changing.unlock();
      }
    } finally {
      gate.leave();
    }
  }

  /** Runs a part of an exclusive change while no writer is at a collection. */
  static <T> T withoutWriters(
      Collection collection, OperationContext operation, Supplier<T> change) {
    Lock lock = collection.exclusiveLock();
    operation.acquire(lock);
    try {
      collection.prepared().requireNone();
      return change.get();
    } finally {
      lock.unlock();
    }
  }
}
