package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.oplog.OplogSlots;
import dev.wisent.database.oplog.TransactionEntries;
import dev.wisent.database.ownership.WriteBlocks;
import dev.wisent.database.session.NewestNumber;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.snapshot.PreparedTransactions;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.OplogKeys;
import java.util.ArrayList;
import java.util.List;

/**
 * Stores the writes of a transaction so that nothing but an abort can keep them from being
 * committed. The caller is inside the write gate; the transaction keeps its latches. Until {@link
 * PreparedEnd} neither definitions of the collections that it has written change, nor do blocks of
 * their writes begin.
 */
public final class TransactionPreparation {
  private final TransactionWrites writes;
  private final WriteAccess access;
  private final TransactionId id;
  private final NewestNumber before;
  private final String coordinator;
  private final OperationContext operation;
  private PreparedBatch batch;
  private List<WriteBlocks.Pass> passes = List.of();
  private boolean begun;

  /**
   * @param before what is stored about the session
   * @param coordinator the shard that knows the outcome; null where that is not told
   */
  public TransactionPreparation(
      TransactionWrites writes,
      WriteAccess access,
      TransactionId id,
      NewestNumber before,
      String coordinator,
      OperationContext operation) {
    this.writes = writes;
    this.access = access;
    this.id = id;
    this.before = before;
    this.coordinator = coordinator;
    this.operation = operation;
  }

  /** What is prepared. */
  public PreparedBatch batch() {
    return batch;
  }

  /** What {@link PreparedEnd} gives back. */
  List<WriteBlocks.Pass> passes() {
    return passes;
  }

  /** Whether the log may have it, also where {@link #run} has failed. */
  public boolean hasBegun() {
    return begun;
  }

  /** Returns when it is stored. */
  public CommitFuture run() {
    if (!writes.definitions().isEmpty()) {
      throw new CommandException(
          ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
          "Cannot create new collections inside distributed transactions");
    }
    List<Collection> collections =
        writes.collections().values().stream()
            .map(TransactionWrites.InCollection::collection)
            .toList();
    passes = TransactionCommit.admitted(collections, WriteBlocks.Length.LONG, access);
    boolean stored = false;
    try {
      TransactionCommit.lockAll(collections, operation);
      try {
        for (Collection collection : collections) {
          if (collection.isDropped()) {
            throw Conflicts.writeConflict();
          }
          writes.checkDefinition(collection);
        }
        writes.counts().checkOwned();
        CommitFuture commit = store(collections);
        stored = true;
        return commit;
      } finally {
        collections.forEach(collection -> collection.sharedLock().unlock());
      }
    } finally {
      if (!stored) {
        passes.forEach(WriteBlocks.Pass::close);
      }
    }
  }

  private CommitFuture store(List<Collection> collections) {
    batch = newBatch();
    var mutation = new MutationBuilder();
    mutation.put(Keyspace.SYSTEM, PreparedTransactions.key(id.session()), batch.encode());
    before.prepared(id.session(), id.number(), operation.clock().wallMillis(), mutation);
    var images = new WrittenImages(writes, access);
    images.count(mutation);
    new TransactionEntries(id.session(), id.number()).prepare(writes.operations(), mutation);
    Mutation built = mutation.build();
    Conflicts.checkSize(OplogSlots.sizeBytes(built), access.log().mutationBytesMax());
    begin(collections);
    begun = true;
    boolean stored = false;
    try {
      CommitFuture commit = access.log().submit(built);
      OperationState.awaitApplied(commit, operation);
      images.committed();
      stored = true;
      return commit;
    } finally {
      if (!stored) {
        collections.forEach(collection -> collection.prepared().end());
      }
    }
  }

  /** Counts it in all collections, or in none where a change of one of them waits. */
  private static void begin(List<Collection> collections) {
    for (int i = 0; i < collections.size(); i++) {
      if (!collections.get(i).prepared().tryBegin()) {
        collections.subList(0, i).forEach(collection -> collection.prepared().end());
        throw Conflicts.writeConflict();
      }
    }
  }

  private PreparedBatch newBatch() {
    var changes = new MutationBuilder();
    writes.overlay().writeTo(changes);
    var parts = new ArrayList<PreparedBatch.Part>();
    for (TransactionWrites.InCollection each : writes.collections().values()) {
      var inserted = new ArrayList<Long>();
      var changed = new ArrayList<Long>();
      each.records().forEach((recordId, isNew) -> (isNew ? inserted : changed).add(recordId));
      parts.add(
          new PreparedBatch.Part(
              each.collection().ident(),
              each.counters().documents(),
              each.counters().bytes(),
              each.counters().orphans(),
              each.greatestDeleted(),
              inserted,
              changed));
    }
    var keys = new ArrayList<PreparedBatch.HeldKey>();
    writes.latches().keys((ident, key) -> keys.add(new PreparedBatch.HeldKey(ident, key)));
    return new PreparedBatch(id, coordinator, newestEntry(), changes.build().batch(), parts, keys);
  }

  private long newestEntry() {
    try (KeyValueCursor entries = access.storage().cursor(Keyspace.OPLOG, null, null, true)) {
      return entries.next() ? OplogKeys.timestamp(entries.key()) : 0;
    }
  }
}
