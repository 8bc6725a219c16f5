package dev.wisent.database.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.CounterDelta;
import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.collection.RecordIdSet;
import dev.wisent.database.oplog.TransactionEntries;
import dev.wisent.database.ownership.WriteBlocks;
import dev.wisent.database.session.NewestNumber;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.snapshot.PreparedTransactions;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.OplogKeys;
import dev.wisent.storage.Overlay;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A prepared transaction on the leader, from its preparation, or the begin of the leader's term, to
 * its end. It holds the latches on what it will change, and no collection that it has written
 * changes its definition before its end. One thread uses it at a time.
 */
public final class PreparedEnd implements AutoCloseable {
  private final PreparedBatch batch;
  private final WriteAccess access;
  private final List<Collection> collections;
  private final LatchTable.Holder latches;
  private final List<WriteBlocks.Pass> passes;
  private final TransactionEntries.EntryTime preparedAt;
  private boolean closed;

  /**
   * @param latches that it holds already, and gives back at its end
   * @param passes the same
   */
  private PreparedEnd(
      PreparedBatch batch,
      WriteAccess access,
      LatchTable.Holder latches,
      List<WriteBlocks.Pass> passes,
      long preparedAt) {
    this.batch = batch;
    this.access = access;
    this.latches = latches;
    this.passes = passes;
    this.collections =
        batch.parts().stream().map(part -> access.catalog().find(part.ident())).toList();
    byte[] entry = access.storage().get(Keyspace.OPLOG, OplogKeys.entry(preparedAt));
    this.preparedAt =
        new TransactionEntries.EntryTime(preparedAt, RawDocument.of(entry).get("t").toLong());
  }

  /**
   * What this leader has prepared.
   *
   * @param latches that the transaction has kept
   */
  public static PreparedEnd of(
      TransactionPreparation preparation,
      WriteAccess access,
      LatchTable.Holder latches,
      long preparedAt) {
    return new PreparedEnd(preparation.batch(), access, latches, preparation.passes(), preparedAt);
  }

  /** Takes up again what an earlier leader has prepared. No writes are accepted yet. */
  public static PreparedEnd resumed(PreparedBatch batch, WriteAccess access) {
    LatchTable.Holder latches = access.latches().newHolder();
    var passes = new ArrayList<WriteBlocks.Pass>();
    for (PreparedBatch.Part part : batch.parts()) {
      Collection collection = access.catalog().find(part.ident());
      collection.prepared().resume();
      passes.add(access.ownership().blocks().resume(collection.namespace()));
      for (long recordId : part.inserted()) {
        collection.recordIds().reserve(recordId);
        var unused = latches.latchRecord(part.ident(), recordId);
      }
      for (long recordId : part.changed()) {
        var unused = latches.latchRecord(part.ident(), recordId);
      }
    }
    for (PreparedBatch.HeldKey held : batch.keys()) {
      var unused = latches.latchKey(held.ident(), held.key());
    }
    return new PreparedEnd(batch, access, latches, passes, entryTime(batch, access.storage()));
  }

  /** The time of the oplog entry of a preparation. */
  public static long entryTime(PreparedBatch batch, ReadView view) {
    RawDocument session = batch.id().session().document();
    try (KeyValueCursor entries =
        view.cursor(Keyspace.OPLOG, OplogKeys.entry(batch.oplogFrom() + 1), null, false)) {
      while (entries.next()) {
        RawDocument entry = RawDocument.of(entries.copyValue());
        if (TransactionEntries.isPreparation(entry, session, batch.id().number())) {
          return OplogKeys.timestamp(entries.key());
        }
      }
    }
    throw new IllegalStateException("the oplog has no entry of a prepared transaction");
  }

  public PreparedBatch batch() {
    return batch;
  }

  /** The time of the preparation. */
  public long preparedAt() {
    return preparedAt.timestamp();
  }

  /** How many records and keys are latched. */
  public int latchCount() {
    return latches.mark();
  }

  /** Returns when readers see all of it. The caller is inside the write gate. */
  public CommitFuture commit(long time, OperationContext operation) {
    TransactionCommit.lockAll(collections, operation);
    try {
      return commitLocked(time, operation);
    } finally {
      collections.forEach(collection -> collection.sharedLock().unlock());
    }
  }

  private CommitFuture commitLocked(long time, OperationContext operation) {
    Overlay changes = batch.overlay();
    var mutation = new MutationBuilder();
    changes.writeTo(mutation);
    var counters = new ArrayList<CounterDelta>();
    var versions = new UnitVersions(access, latches, operation);
    for (int i = 0; i < collections.size(); i++) {
      PreparedBatch.Part part = batch.parts().get(i);
      var counted = new CounterDelta(collections.get(i));
      counted.add(part.documents(), part.bytes());
      counted.addOrphans(part.orphans());
      counted.write(mutation);
      counters.add(counted);
      for (long recordId : part.changed()) {
        addVersion(collections.get(i), recordId, changes, versions);
      }
    }
    end(mutation, operation, true);
    mutation.oplogEntry(TransactionEntries.commit(batch.id(), time, preparedAt));
    try {
      CommitFuture commit = versions.commit(mutation.build(), this::watched);
      for (int i = 0; i < collections.size(); i++) {
        counters.get(i).committed();
        collections.get(i).recordIds().marked(batch.parts().get(i).greatestDeleted());
      }
      return commit;
    } finally {
      counters.forEach(CounterDelta::reset);
      collections.forEach(Collection::changed);
    }
  }

  private static void addVersion(
      Collection collection, long recordId, Overlay changes, UnitVersions versions) {
    byte[] document =
        changes.value(Keyspace.RECORDS, RecordKeys.recordKey(collection.ident(), recordId));
    if (document == null) {
      versions.delete(collection, recordId);
    } else {
      versions.update(collection, recordId, RawDocument.of(document));
    }
  }

  /** Tells indexes that are being built which records the commit changes. */
  private Supplier<CommitFuture> watched(Supplier<CommitFuture> commit) {
    Supplier<CommitFuture> watched = commit;
    for (int i = 0; i < collections.size(); i++) {
      Collection collection = collections.get(i);
      if (collection.watch().isWatched()) {
        Supplier<CommitFuture> inner = watched;
        var changed = new RecordIdSet();
        batch.parts().get(i).inserted().forEach(changed::add);
        batch.parts().get(i).changed().forEach(changed::add);
        watched = () -> collection.watch().commit(changed, inner);
      }
    }
    return watched;
  }

  /** Returns when it is stored that nothing of it comes. The caller is inside the write gate. */
  public CommitFuture abort(OperationContext operation) {
    var mutation = new MutationBuilder();
    end(mutation, operation, false);
    mutation.oplogEntry(TransactionEntries.abort(batch.id(), preparedAt));
    CommitFuture commit = access.log().submit(mutation.build());
    OperationState.awaitApplied(commit, operation);
    return commit;
  }

  private void end(MutationBuilder mutation, OperationContext operation, boolean committed) {
    SessionId session = batch.id().session();
    mutation.delete(Keyspace.SYSTEM, PreparedTransactions.key(session));
    NewestNumber stored = NewestNumber.of(session, access.storage());
    long wallMillis = operation.clock().wallMillis();
    if (committed) {
      stored.committed(session, batch.id().number(), wallMillis, mutation);
    } else {
      stored.aborted(session, batch.id().number(), wallMillis, mutation);
    }
  }

  /** What a commit changes, with its counters. */
  public Overlay changes() {
    Overlay changes = batch.overlay();
    var counters = new MutationBuilder();
    for (int i = 0; i < collections.size(); i++) {
      var counted = new CounterDelta(collections.get(i));
      counted.add(batch.parts().get(i).documents(), batch.parts().get(i).bytes());
      counted.addOrphans(batch.parts().get(i).orphans());
      counted.copyTo(counters);
    }
    if (!counters.isEmpty()) {
      changes.add(counters.build());
    }
    return changes;
  }

  /** Gives back what it holds: it has ended, or this node leads no longer. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    latches.close();
    collections.forEach(collection -> collection.prepared().end());
    passes.forEach(WriteBlocks.Pass::close);
  }
}
