package dev.wisent.database.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.database.index.Index;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.RetryableStatements;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.update.UpdateOutcome;
import dev.wisent.sharding.OwnedRanges;
import java.util.List;
import java.util.function.Supplier;

/**
 * Changes of a statement in a transaction. Each goes to the transaction as soon as it is made, so
 * that the next one finds it; latches stay with the transaction until that ends. What another write
 * has latched, or has changed since the transaction's snapshot, is a conflict.
 */
final class TransactionUnit extends WriteUnit {
  private final TransactionWrites transaction;
  private final TransactionWrites.InCollection target;

  /** What remembers statements of a retryable write that are done; null for none. */
  private final RetryableStatements retryable;

  private final Ownership ownership;
  private final ReadState state;

  /** How many latches belong to what the transaction has. */
  private int kept;

  TransactionUnit(
      Collection collection,
      WriteAccess access,
      TransactionWrites transaction,
      OperationContext operation) {
    super(collection, access, transaction.latches(), null, operation);
    this.transaction = transaction;
    this.target = transaction.in(collection);
    this.retryable = OperationState.statements(operation);
    this.ownership = access.ownership();
    this.state = ReadState.of(operation);
    this.kept = latches.mark();
  }

  /** There is nothing to wait for: a conflict is the end of the transaction. */
  @Override
  <T> T changing(OperationContext operation, Supplier<T> change) {
    return change.get();
  }

  /** Nothing is committed before the transaction is. */
  @Override
  int sizeBytes() {
    return 0;
  }

  @Override
  int changeCount() {
    return 0;
  }

  @Override
  void latch(long recordId) {
    target.latch(recordId);
  }

  @Override
  public void latchKey(Index index, byte[] key) {
    transaction.latchKey(index, key);
  }

  @Override
  public boolean isTaken(Index index, byte[] key, long recordId) {
    return transaction.isTaken(index, key, recordId);
  }

  @Override
  boolean isOlderThan(OwnedRanges newest) {
    return !ownership.isStillOwned(newest, state.view());
  }

  /** Such as that of an orphan which was deleted after the transaction began. */
  @Override
  boolean hasGone(Index index, byte[] key) {
    return transaction.wasTaken(index, key);
  }

  @Override
  public boolean storesAtOnce(List<Index.ArrayMark> marks) {
    return target.store(marks);
  }

  @Override
  RawDocument readLatched(RecordReader reader, long recordId) {
    return target.read(reader, recordId);
  }

  @Override
  void insert(RawDocument document) {
    long recordId = changes.insert(document);
    written(document);
    handOver(recordId, true);
  }

  @Override
  void update(long recordId, RawDocument before, UpdateOutcome outcome, boolean replaced) {
    changes.update(recordId, before, outcome, replaced);
    written(outcome.document());
    noteUpdate(before, outcome.document());
    handOver(recordId, false);
  }

  @Override
  void move(long recordId, RawDocument before, RawDocument after) {
    changes.delete(recordId, before);
    noteUpdate(before, after);
    handOver(recordId, false);
  }

  private void noteUpdate(RawDocument before, RawDocument after) {
    if (retryable != null) {
      retryable.updated(before, after);
    }
  }

  @Override
  void delete(long recordId, RawDocument before) {
    changes.delete(recordId, before);
    handOver(recordId, false);
  }

  private void handOver(long recordId, boolean inserted) {
    target.add(recordId, inserted, mutation.build(), changes, owned);
    changes.reset();
    kept = latches.mark();
  }

  @Override
  long documentsAfter() {
    throw capped();
  }

  @Override
  long bytesAfter() {
    throw capped();
  }

  private static IllegalStateException capped() {
    return new IllegalStateException("a transaction does not write to a capped collection");
  }

  @Override
  void commit(OperationContext operation) {
    rollBack();
  }

  /** Drops a change that is not complete. */
  @Override
  void rollBack() {
    latches.releaseAfter(kept);
    changes.reset();
  }

  @Override
  public void close() {
    rollBack();
  }
}
