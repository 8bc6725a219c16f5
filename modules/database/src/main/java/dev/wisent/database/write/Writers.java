package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.Namespace;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.CatalogChanges;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.collection.PendingVersions;
import dev.wisent.database.exec.PlanExecutor;
import dev.wisent.query.update.UpdateContext;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.StorageEngine;
import java.util.function.Function;

/** What the executors of writes share: where data is, and the entry into a collection. */
public record Writers(
    StorageEngine storage,
    CommitLog log,
    Catalog catalog,
    CatalogChanges changes,
    LatchTable latches,
    PendingVersions pending,
    UpdateContext context,
    WriteGate gate,
    PlanExecutor plans) {

  WriteUnit newUnit(Collection collection, OperationContext operation) {
    return new WriteUnit(collection, this, operation.retryableWrite());
  }

  /**
   * Runs a write in a collection, which cannot change or go away meanwhile.
   *
   * @param create whether a missing collection is made; otherwise {@code write} gets null for it
   */
  <T> T inCollection(
      Namespace namespace,
      boolean create,
      OperationContext operation,
      Function<Collection, T> write) {
    while (true) {
      gate.enter(operation);
      try {
        Collection collection =
            create ? changes.findOrCreate(namespace, operation) : catalog.find(namespace);
        if (collection == null) {
          return write.apply(null);
        }
        if (collection.isOplog()) {
          throw new CommandException(ErrorCode.INVALID_NAMESPACE, "cannot write to " + namespace);
        }
        operation.acquire(collection.sharedLock());
        try {
          // Dropped or renamed between the look-up and the lock: look again.
          if (collection.isCalled(namespace)) {
            return write.apply(collection);
          }
        } finally {
          collection.sharedLock().unlock();
        }
      } finally {
        gate.leave();
      }
    }
  }
}
