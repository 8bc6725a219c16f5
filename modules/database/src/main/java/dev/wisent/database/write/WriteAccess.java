package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.CatalogChanges;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.InFlightVersions;
import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.collection.PreImages;
import dev.wisent.database.exec.PlanExecutor;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.OrphanDeleter;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.ownership.WriteBlocks;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.view.Views;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.update.UpdateContext;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.StorageEngine;
import java.util.function.Function;

/** What the executors of writes share: where data is, and the entry into a collection. */
public record WriteAccess(
    StorageEngine storage,
    CommitLog log,
    Catalog catalog,
    Views views,
    CatalogChanges changes,
    LatchTable latches,
    InFlightVersions pending,
    UpdateContext context,
    WriteGate gate,
    PlanExecutor plans,
    Ownership ownership) {

  /** What deletes documents that this node does not own. */
  public OrphanDeleter orphanDeleter() {
    return new OrphanDeletions(this);
  }

  /**
   * What to parse an update with. The collation of a collection never changes; should another
   * collection take its place meanwhile, the update goes on with that of the first.
   */
  UpdateContext context(OperationContext operation, Namespace namespace, CollationChoice choice) {
    return context.withCollation(collation(operation, namespace, choice));
  }

  /** The collation of an operation on a collection; null for the simple one. */
  Collation collation(OperationContext operation, Namespace namespace, CollationChoice choice) {
    Collection collection = choice.isInherited() ? catalog.find(namespace, operation) : null;
    return choice.or(collection == null ? null : collection.collation());
  }

  /** The state that writes are evaluated on: the newest, of which they latch what they change. */
  ReadView view() {
    return storage;
  }

  /** What keeps documents as they were before changes to a collection; null if that is off. */
  PreImageWriter preImages(Collection changed) {
    return changed.keepsPreImages()
        ? new PreImageWriter(changed, catalog.require(PreImages.NAMESPACE))
        : null;
  }

  /** The state in which a write finds its records. */
  ReadView view(OperationContext operation) {
    TransactionWrites transaction = TransactionWrites.of(operation);
    return transaction == null ? storage : transaction.refresh(operation);
  }

  WriteUnit newUnit(Collection collection, OperationContext operation) {
    TransactionWrites transaction = TransactionWrites.of(operation);
    return transaction == null
        ? new PlainUnit(collection, this, operation)
        : new TransactionUnit(collection, this, transaction, operation);
  }

  boolean keepsOplogOf(Collection collection) {
    return log.keepsOplog() && collection.namespace().isReplicated();
  }

  /**
   * Runs a write in a collection, which cannot change or go away meanwhile. Where another write has
   * latched what it needs, it leaves the collection and the gate, waits for the other, and is run
   * again: it goes on where it was, or starts over.
   *
   * @param create whether a missing collection is made; otherwise {@code write} gets null for it
   */
  <T> T inCollection(
      Namespace namespace,
      boolean create,
      OperationContext operation,
      Function<Collection, T> write) {
    long term = gate.closings();
    while (true) {
      LatchConflictException conflict = null;
      try (WriteBlocks.Pass pass = pass(namespace, operation)) {
        gate.enter(operation);
        try {
          if (gate.closings() != term) {
            operation.kill(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
            operation.checkNow();
          }
          Collection collection = find(namespace, create, operation);
          if (collection == null) {
            views.refuse(namespace);
            return write.apply(null);
          }
          prepare(collection, operation);
          acquire(collection, operation);
          try {
            // Dropped or renamed between the look-up and the lock: look again.
            if (collection.isCalled(namespace)) {
              TransactionWrites.checkDefinition(collection, operation);
              return write.apply(collection);
            }
          } finally {
            collection.sharedLock().unlock();
          }
        } catch (LatchConflictException e) {
          conflict = e;
        } finally {
          gate.leave();
        }
      }
      if (conflict != null) {
        conflict.await(operation, gate);
      }
    }
  }

  private WriteBlocks.Pass pass(Namespace namespace, OperationContext operation) {
    if (TransactionWrites.of(operation) == null) {
      return ownership.admit(namespace, WriteBlocks.Length.SHORT, operation, gate);
    }
    WriteBlocks.Pass pass = ownership.tryAdmit(namespace, operation);
    if (pass == null) {
      throw Conflicts.writeConflict();
    }
    return pass;
  }

  /** The pass of a write of many documents, which it keeps while it waits for others. */
  WriteBlocks.Pass passOfAll(Namespace namespace, OperationContext operation) {
    if (TransactionWrites.of(operation) != null || ownership.isAdmitted(namespace, operation)) {
      return WriteBlocks.Pass.UNCOUNTED;
    }
    WriteBlocks.Pass pass = ownership.admit(namespace, WriteBlocks.Length.LONG, operation, gate);
    OperationState.admitted(operation, namespace);
    return () -> {
      OperationState.admitted(operation, null);
      pass.close();
    };
  }

  private void prepare(Collection collection, OperationContext operation) {
    if (collection.isOfTheLog()) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE, "cannot write to " + collection.namespace());
    }
    if (collection.keepsPreImages() && log.keepsOplog()) {
      changes.findOrCreate(PreImages.NAMESPACE, operation);
    }
  }

  private Collection find(Namespace namespace, boolean create, OperationContext operation) {
    TransactionWrites transaction = TransactionWrites.of(operation);
    if (transaction != null) {
      return transaction.find(namespace, create, operation);
    }
    return create ? changes.findOrCreate(namespace, operation) : catalog.find(namespace);
  }

  private static void acquire(Collection collection, OperationContext operation) {
    TransactionWrites transaction = TransactionWrites.of(operation);
    if (transaction == null) {
      operation.acquire(collection.sharedLock());
    } else {
      transaction.acquire(collection, operation);
    }
  }
}
