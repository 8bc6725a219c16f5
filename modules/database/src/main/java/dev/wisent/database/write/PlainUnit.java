package dev.wisent.database.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.collection.RecordIdSet;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.database.index.Index;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.RetryableStatements;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.update.UpdateOutcome;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.ReadView;
import java.util.function.Supplier;

/**
 * Changes that become one mutation of their own. The unit latches what it changes until the outcome
 * of the commit is known; on a conflict it commits what it has and waits for the other write.
 */
final class PlainUnit extends WriteUnit {
  private final ReadView view;
  private final UnitVersions versions;

  /** What remembers the statements that are done; null for an ordinary write. */
  private final RetryableStatements retryable;

  PlainUnit(Collection collection, WriteAccess access, OperationContext operation) {
    super(
        collection,
        access,
        access.latches().newHolder(),
        OperationState.statements(operation),
        operation);
    this.view = access.view();
    this.versions = new UnitVersions(access, latches, operation);
    this.retryable = OperationState.statements(operation);
  }

  @Override
  <T> T changing(OperationContext operation, Supplier<T> change) {
    while (true) {
      try {
        return change.get();
      } catch (LatchConflictException conflict) {
        boolean own = conflict.isWith(latches);
        commit(operation);
        if (!own) {
          throw conflict;
        }
      }
    }
  }

  @Override
  int sizeBytes() {
    return mutation.sizeBytes();
  }

  @Override
  int changeCount() {
    return mutation.changeCount();
  }

  @Override
  void latch(long recordId) {
    LatchTable.Conflict conflict = latches.latchRecord(collection().ident(), recordId);
    if (conflict != null && !conflict.isWith(latches)) {
      throw new LatchConflictException(conflict);
    }
  }

  /**
   * The unit itself may hold the key, for a document before this one: whose the key is shows only
   * after the commit, so that is a conflict too.
   */
  @Override
  public void latchKey(Index index, byte[] key) {
    LatchTable.Conflict conflict = latches.latchKey(index.ident(), key);
    if (conflict != null) {
      throw new LatchConflictException(conflict);
    }
  }

  @Override
  boolean isOlderThan(OwnedRanges newest) {
    return false;
  }

  @Override
  boolean hasGone(Index index, byte[] key) {
    return false;
  }

  @Override
  public boolean isTaken(Index index, byte[] key, long recordId) {
    return index.uniqueKeys().isTaken(key, recordId, view);
  }

  @Override
  RawDocument readLatched(RecordReader reader, long recordId) {
    return versions.read(collection(), reader, recordId);
  }

  @Override
  void insert(RawDocument document) {
    changes.insert(document);
    written(document);
    if (retryable != null) {
      retryable.inserted(document);
    }
  }

  @Override
  void update(long recordId, RawDocument before, UpdateOutcome outcome, boolean replaced) {
    changes.update(recordId, before, outcome, replaced);
    versions.update(collection(), recordId, outcome.document());
    written(outcome.document());
    if (retryable != null) {
      retryable.updated(before, outcome.document());
    }
  }

  @Override
  void move(long recordId, RawDocument before, RawDocument after) {
    throw new IllegalStateException("a document moves to another shard in a transaction only");
  }

  @Override
  void delete(long recordId, RawDocument before) {
    changes.delete(recordId, before);
    versions.delete(collection(), recordId);
    if (retryable != null) {
      retryable.deleted(before);
    }
  }

  @Override
  long documentsAfter() {
    return collection().documents() + changes.counters().documents();
  }

  @Override
  long bytesAfter() {
    return collection().dataBytes() + changes.counters().bytes();
  }

  @Override
  void commit(OperationContext operation) {
    if (mutation.isEmpty()) {
      latches.close();
      versions.awaitRead();
      return;
    }
    try {
      changes.writeCounters();
      if (retryable != null) {
        retryable.write(mutation);
      }
      OperationState.committed(operation, commitVersions());
      if (retryable != null) {
        retryable.committed();
      }
      changes.committed();
    } finally {
      rollBack();
    }
  }

  private CommitFuture commitVersions() {
    RecordIdSet changed = changes.changedRecords();
    try {
      return changed == null
          ? versions.commit(mutation.build(), null)
          : versions.commit(
              mutation.build(), commit -> () -> collection().watch().commit(changed, commit));
    } finally {
      collection().changed();
    }
  }

  @Override
  void rollBack() {
    latches.close();
    changes.reset();
    if (retryable != null) {
      retryable.rolledBack();
    }
    versions.clear();
  }

  @Override
  public void close() {
    rollBack();
    versions.awaitRead();
  }
}
