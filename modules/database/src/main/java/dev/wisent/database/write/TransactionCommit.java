package dev.wisent.database.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.PreparedCollections;
import dev.wisent.database.collection.RecordIdSet;
import dev.wisent.database.oplog.OplogSlots;
import dev.wisent.database.oplog.TransactionEntries;
import dev.wisent.database.ownership.WriteBlocks;
import dev.wisent.database.session.NewestNumber;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.RecordKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/**
 * Makes the writes of a transaction permanent, in one mutation: records, index entries, counters,
 * the session's record and the oplog entries. The caller is inside the write gate.
 */
public final class TransactionCommit {
  private final TransactionWrites writes;
  private final WriteAccess access;
  private final TransactionId id;
  private final NewestNumber before;
  private final OperationContext operation;

  private final WrittenImages images;

  private boolean begun;

  /**
   * @param before what is stored about the session
   */
  public TransactionCommit(
      TransactionWrites writes,
      WriteAccess access,
      TransactionId id,
      NewestNumber before,
      OperationContext operation) {
    this.writes = writes;
    this.access = access;
    this.id = id;
    this.before = before;
    this.operation = operation;
    this.images = new WrittenImages(writes, access);
  }

  /** Whether the log may have it, also where {@link #run} has failed. */
  public boolean hasBegun() {
    return begun;
  }

  /** Returns when readers see all of it. */
  public CommitFuture run() {
    List<WriteBlocks.Pass> passes = admitted(collections(), WriteBlocks.Length.SHORT, access);
    try {
      return runAdmitted();
    } finally {
      passes.forEach(WriteBlocks.Pass::close);
    }
  }

  /** Fails where writes of that length are kept out of one of the collections. */
  static List<WriteBlocks.Pass> admitted(
      List<Collection> collections, WriteBlocks.Length length, WriteAccess access) {
    var passes = new ArrayList<WriteBlocks.Pass>();
    for (Collection collection : collections) {
      WriteBlocks.Pass pass = access.ownership().blocks().tryEnter(collection.namespace(), length);
      if (pass == null) {
        passes.forEach(WriteBlocks.Pass::close);
        throw Conflicts.writeConflict();
      }
      passes.add(pass);
    }
    return passes;
  }

  private List<Collection> collections() {
    return writes.collections().values().stream()
        .map(TransactionWrites.InCollection::collection)
        .toList();
  }

  private CommitFuture runAdmitted() {
    TransactionDefinitions definitions = writes.definitions();
    return definitions.isEmpty()
        ? runLocked()
        : definitions
            .prepared()
            .publishing(
                definitions.created(), operation, Conflicts::writeConflict, this::runLocked);
  }

  private CommitFuture runLocked() {
    List<Collection> collections = collections();
    lockAll(collections, operation);
    try {
      for (Collection collection : collections) {
        if (collection.isDropped()) {
          throw Conflicts.writeConflict();
        }
        writes.checkDefinition(collection);
      }
      writes.counts().checkOwned();
      return commit();
    } finally {
      collections.forEach(collection -> collection.sharedLock().unlock());
    }
  }

  /** Takes all shared locks; while one of them is waited for, none is held. */
  static void lockAll(List<Collection> collections, OperationContext operation) {
    int locked = 0;
    while (locked < collections.size()) {
      Lock next = collections.get(locked).sharedLock();
      if (next.tryLock()) {
        locked++;
        continue;
      }
      while (locked > 0) {
        collections.get(--locked).sharedLock().unlock();
      }
      operation.acquire(next);
      next.unlock();
    }
  }

  private CommitFuture commit() {
    Mutation mutation = mutation();
    var versions = new UnitVersions(access, writes.latches(), operation);
    for (TransactionWrites.InCollection each : writes.collections().values()) {
      each.records()
          .forEach(
              (recordId, inserted) -> {
                // A record that is new has no version that others could know.
                if (!inserted) {
                  addVersion(each.collection(), recordId, versions);
                }
              });
    }
    begun = true;
    try {
      CommitFuture commit = versions.commit(mutation, this::watched);
      images.committed();
      writes.counts().committed();
      for (TransactionWrites.InCollection each : writes.collections().values()) {
        each.collection().recordIds().marked(each.greatestDeleted());
      }
      return commit;
    } finally {
      writes.collections().values().forEach(each -> each.collection().changed());
    }
  }

  private void addVersion(Collection collection, long recordId, UnitVersions versions) {
    byte[] key = RecordKeys.recordKey(collection.ident(), recordId);
    byte[] document = writes.overlay().value(Keyspace.RECORDS, key);
    if (document == null) {
      versions.delete(collection, recordId);
    } else {
      versions.update(collection, recordId, RawDocument.of(document));
    }
  }

  private Mutation mutation() {
    var mutation = new MutationBuilder();
    writes.overlay().writeTo(mutation);
    writes.counts().write(mutation);
    images.count(mutation);
    before.committed(id.session(), id.number(), operation.clock().wallMillis(), mutation);
    addEntries(mutation);
    Mutation built = mutation.build();
    Conflicts.checkSize(OplogSlots.sizeBytes(built), access.log().mutationBytesMax());
    return built;
  }

  /** Definitions come first, for what follows needs them. */
  private void addEntries(MutationBuilder mutation) {
    var operations = new ArrayList<TransactionEntries.Operation>();
    for (Collection created : writes.definitions().created()) {
      PreparedCollections.write(created, mutation);
      for (byte[] entry : writes.definitions().prepared().entries(created)) {
        operations.add(new TransactionEntries.Operation(entry, null));
      }
    }
    operations.addAll(writes.operations());
    if (!operations.isEmpty()) {
      new TransactionEntries(id.session(), id.number()).add(operations, mutation);
    }
  }

  /** Tells indexes that are being built which records the commit changes. */
  private Supplier<CommitFuture> watched(Supplier<CommitFuture> commit) {
    Supplier<CommitFuture> watched = commit;
    for (TransactionWrites.InCollection each : writes.collections().values()) {
      if (each.collection().watch().isWatched()) {
        Supplier<CommitFuture> inner = watched;
        var changed = new RecordIdSet();
        each.records().keySet().forEach(changed::add);
        watched = () -> each.collection().watch().commit(changed, inner);
      }
    }
    return watched;
  }
}
