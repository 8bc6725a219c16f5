package dev.wisent.database.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.database.index.Index;
import dev.wisent.database.oplog.OplogEntries;
import dev.wisent.database.ownership.OrphanDeleter;
import dev.wisent.database.ownership.WriteSamples;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.RetryableStatements;
import dev.wisent.operation.DuplicateKeyException;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.update.UpdateOutcome;
import dev.wisent.sharding.OwnedKeys;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.storage.MutationBuilder;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Changes to one collection that are committed together: at the end of the unit ({@link
 * PlainUnit}), or with the transaction that they are part of ({@link TransactionUnit}). The caller
 * holds the collection's shared lock for as long as the unit lives.
 *
 * <p>A change that fails leaves the unit as it was before: see {@link CollectionChanges}, which
 * computes the changes.
 */
abstract class WriteUnit implements CollectionChanges.Scope, AutoCloseable {
  /** Of the log's limit: for the changes before the last one, counters and the session's record. */
  private static final int RESERVED_BYTES = 2 << 20;

  private final Collection collection;
  private final WriteAccess access;
  private final KeyGuard guard;

  /** What this node owns as a shard; null where the collection is not sharded. */
  final OwnedRanges owned;

  /** Null where this node owns all documents. */
  private final OwnedKeys ownedKeys;

  /** Null where the collection is not sharded. */
  private final ShardKeyPattern shardKey;

  /** Null where the collection is not sharded. */
  private final WriteSamples.Written samples;

  /** On what the unit changes. */
  final LatchTable.Holder latches;

  final MutationBuilder mutation = new MutationBuilder();

  /** Computes what goes into the mutation. */
  final CollectionChanges changes;

  /**
   * @param retryable what remembers the statements that are done; null for none
   */
  WriteUnit(
      Collection collection,
      WriteAccess access,
      LatchTable.Holder latches,
      RetryableStatements retryable,
      OperationContext operation) {
    this.collection = collection;
    this.access = access;
    this.guard = new KeyGuard(collection.namespace(), access.ownership(), operation);
    this.latches = latches;
    this.owned = access.ownership().owned(collection.namespace());
    this.ownedKeys = owned == null || owned.isComplete() ? null : new OwnedKeys(owned);
    this.shardKey = owned == null ? null : owned.key();
    this.samples =
        shardKey == null ? null : access.ownership().samples().of(collection.namespace());
    OplogEntries oplog =
        access.keepsOplogOf(collection)
            ? new OplogEntries(
                collection.definition(),
                retryable,
                shardKey,
                OperationState.isOfMigration(operation))
            : null;
    long changeBytesMax = access.log().mutationBytesMax() - RESERVED_BYTES;
    this.changes =
        new CollectionChanges(
            collection,
            this,
            new CollectionChanges.Target(mutation, latches, changeBytesMax),
            oplog,
            oplog == null ? null : access.preImages(collection),
            operation.query().meter());
  }

  /** Which shard keys may be written. */
  final KeyGuard guard() {
    return guard;
  }

  @Override
  public final boolean isOrphan(RawDocument document) {
    return ownedKeys != null && !ownedKeys.has(document);
  }

  @Override
  public final void checkOrphan(
      Index index, byte[] key, RawDocument document, DuplicateKeyException error) {
    if (owned != null && isOlderThan(owned)) {
      // A copy that was not owned then may be owned now, and is no duplicate where it has left.
      throw Conflicts.writeConflict();
    }
    if (ownedKeys == null || isOrphan(document)) {
      return;
    }
    long holder = index.uniqueKeys().holder(key, access.view());
    RawDocument other =
        holder < 0 ? null : new RecordReader(collection).read(access.view(), holder);
    if (other == null && hasGone(index, key)) {
      throw Conflicts.writeConflict();
    }
    if (other != null && isOrphan(other)) {
      UUID uuid = collection.definition().uuid();
      RawDocument seen = RawDocument.of(other.toByteArray());
      var candidates =
          new OrphanDeleter.Candidates(collection.namespace(), uuid, List.of(holder), any -> true);
      Consumer<OperationContext> removal =
          isIncoming(seen)
              ? deletion -> access.ownership().incomingMigrations().refuse(uuid, seen, deletion)
              : deletion -> access.ownership().orphanDeleter().delete(candidates, deletion);
      throw new OrphanConflictException(removal, error);
    }
  }

  /** Whether the unit reads a state with other ranges than the newest. */
  abstract boolean isOlderThan(OwnedRanges newest);

  /** Whether a key that no stored document has is one of a state that the unit reads. */
  abstract boolean hasGone(Index index, byte[] key);

  /** Whether a document that is not owned has come with a migration, and must not get lost. */
  private boolean isIncoming(RawDocument seen) {
    OwnedKeys incoming = access.ownership().incoming().of(collection.definition().uuid(), owned);
    return incoming != null && incoming.has(seen);
  }

  /** Counts a document that was stored. */
  final void written(RawDocument document) {
    if (samples != null) {
      samples.add(shardKey, document);
    }
  }

  final Collection collection() {
    return collection;
  }

  /**
   * Runs a change. If another write is in the way, what is in the unit is committed first.
   *
   * @throws LatchConflictException with which the caller leaves the collection, to wait
   */
  abstract <T> T changing(OperationContext operation, Supplier<T> change);

  /** How much there is to commit. */
  abstract int sizeBytes();

  abstract int changeCount();

  /** Latches a record, so that no other write changes it. */
  abstract void latch(long recordId);

  /** A latched record as the unit has to take it; null if it does not exist. */
  abstract RawDocument readLatched(RecordReader reader, long recordId);

  /** Adds a document under a new record id. */
  abstract void insert(RawDocument document);

  /**
   * Replaces a latched record by what an update made of it.
   *
   * @param replaced whether the update was the whole new document
   */
  abstract void update(long recordId, RawDocument before, UpdateOutcome outcome, boolean replaced);

  /** Removes a latched record whose update belongs to another shard. */
  abstract void move(long recordId, RawDocument before, RawDocument after);

  /** Removes a latched record. */
  abstract void delete(long recordId, RawDocument before);

  /** Documents of the collection as they will be after this unit. */
  abstract long documentsAfter();

  abstract long bytesAfter();

  /** Ends what was changed so far, and its latches; the unit can then be used again. */
  abstract void commit(OperationContext operation);

  /** Drops what was not committed; the unit can then be used again. */
  abstract void rollBack();

  @Override
  public abstract void close();
}
