package dev.wisent.database.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.database.oplog.OplogEntries;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.RetryableStatements;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.update.UpdateOutcome;
import dev.wisent.storage.MutationBuilder;
import java.util.function.Supplier;

/**
 * Changes to one collection that are committed together. It latches what it changes until the
 * outcome of the commit is known. The caller holds the collection's shared lock for as long as the
 * unit lives.
 *
 * <p>A change that fails leaves the unit as it was before: see {@link CollectionChanges}, which
 * computes the changes.
 */
public final class WriteUnit implements AutoCloseable {
  /** Of the log's limit: for the changes before the last one, counters and the session's record. */
  private static final int RESERVED_BYTES = 2 << 20;

  private final Collection collection;
  private final LatchTable.Holder latches;
  private final MutationBuilder mutation = new MutationBuilder();
  private final CollectionChanges changes;
  private final UnitVersions versions;

  /** What remembers the statements that are done; null for an ordinary write. */
  private final RetryableStatements retryable;

  WriteUnit(Collection collection, WriteAccess access, OperationContext operation) {
    this.collection = collection;
    this.latches = access.latches().newHolder();
    this.versions = new UnitVersions(collection, access, latches, operation);
    this.retryable = OperationState.statements(operation);
    OplogEntries oplog =
        access.log().keepsOplog() && collection.namespace().isReplicated()
            ? new OplogEntries(collection.definition(), retryable)
            : null;
    long changeBytesMax = access.log().mutationBytesMax() - RESERVED_BYTES;
    this.changes =
        new CollectionChanges(
            collection,
            new CollectionChanges.Target(access.view(), mutation, latches, changeBytesMax),
            oplog,
            oplog == null ? null : access.preImages(collection),
            operation.query().meter());
  }

  /**
   * Runs a change until no other write is in the way. The wait for another write ends with the
   * operation: {@code maxTimeMS} and {@code killOp} apply.
   *
   * @param release releases all latches before the wait, so that no two writes wait for each other
   */
  static <T> T retrying(OperationContext operation, Runnable release, Supplier<T> change) {
    while (true) {
      try {
        return change.get();
      } catch (LatchConflictException conflict) {
        release.run();
        conflict.await(operation);
        operation.checkNow();
      }
    }
  }

  /** As {@link #retrying}; what is in the unit is committed before a wait. */
  <T> T changing(OperationContext operation, Supplier<T> change) {
    return retrying(operation, () -> commit(operation), change);
  }

  public boolean isEmpty() {
    return mutation.isEmpty();
  }

  public int sizeBytes() {
    return mutation.sizeBytes();
  }

  public int changeCount() {
    return mutation.changeCount();
  }

  /** Latches a record, so that no other write changes it. */
  public void latch(long recordId) {
    LatchTable.Conflict conflict = latches.latchRecord(collection.ident(), recordId);
    if (conflict != null && !conflict.isWith(latches)) {
      throw new LatchConflictException(conflict);
    }
  }

  /** A latched record as the unit has to take it; null if it does not exist. */
  public RawDocument readLatched(RecordReader reader, long recordId) {
    return versions.read(reader, recordId);
  }

  /** Adds a document under a new record id. */
  public long insert(RawDocument document) {
    long recordId = changes.insert(document);
    if (retryable != null) {
      retryable.inserted(document);
    }
    return recordId;
  }

  /**
   * Replaces a latched record by what an update made of it.
   *
   * @param replaced whether the update was the whole new document
   */
  public void update(long recordId, RawDocument before, UpdateOutcome outcome, boolean replaced) {
    changes.update(recordId, before, outcome, replaced);
    versions.update(recordId, outcome.document());
    if (retryable != null) {
      retryable.updated(before, outcome.document());
    }
  }

  /** Removes a latched record. */
  public void delete(long recordId, RawDocument before) {
    changes.delete(recordId, before);
    versions.delete(recordId);
    if (retryable != null) {
      retryable.deleted(before);
    }
  }

  /** Documents of the collection as they will be after this unit. */
  public long documentsAfter() {
    return collection.documents() + changes.moreDocuments();
  }

  public long bytesAfter() {
    return collection.dataBytes() + changes.moreBytes();
  }

  /** Commits everything so far and releases the latches; the unit can then be used again. */
  public void commit(OperationContext operation) {
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
      OperationState.committed(
          operation, versions.commit(mutation.build(), changes.changedRecords()));
      if (retryable != null) {
        retryable.committed();
      }
      changes.committed();
    } finally {
      rollBack();
    }
  }

  /** Drops what was not committed; the unit can then be used again. */
  public void rollBack() {
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
