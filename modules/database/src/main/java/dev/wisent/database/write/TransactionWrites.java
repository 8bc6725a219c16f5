package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.CounterDelta;
import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.collection.PendingCollections;
import dev.wisent.database.collection.PreparedCollections;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.database.index.Index;
import dev.wisent.database.index.UniqueKeys;
import dev.wisent.database.oplog.TransactionEntries;
import dev.wisent.database.ownership.RecountScope;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.StatementScope;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.transaction.TransactionLimits;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.storage.FixedView;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.Overlay;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * What a transaction reads and has written: a snapshot, the changes over it, and the latches on
 * records and unique keys that it changes. Nothing of it is in the store before {@link
 * TransactionCommit}. For one thread at a time.
 *
 * <p>The first writer of a record or key wins. A transaction that finds it latched by another
 * write, changed since the snapshot, or changed by a write that is submitted and not yet applied,
 * gets a {@code WriteConflict}.
 */
public final class TransactionWrites
    implements StatementScope, PendingCollections, RecountScope, AutoCloseable {
  private final WriteAccess access;
  private final TransactionLimits limits;
  private final ReadState snapshot;
  private final Overlay overlay = new Overlay();
  private final ReadView newest;
  private final LatchTable.Holder latches;
  private final TransactionDefinitions definitions;

  /** By ident: collections are locked in this order. */
  private final TreeMap<Integer, InCollection> collections = new TreeMap<>();

  /** What the oplog says of the changes, in their order. */
  private final List<TransactionEntries.Operation> operations = new ArrayList<>();

  private final TransactionCounters counts;
  private final TransactionMemory memory;
  private long operationBytes;

  /**
   * @param snapshot what the transaction reads; closed with it
   */
  public TransactionWrites(
      WriteAccess access,
      ReadState snapshot,
      PreparedCollections prepared,
      TransactionLimits limits) {
    this.access = access;
    this.limits = limits;
    this.snapshot = snapshot;
    this.newest = overlay.newest(snapshot.view());
    this.latches = access.latches().newHolder();
    this.definitions = new TransactionDefinitions(access, prepared, latches);
    this.memory = new TransactionMemory(access.plans().memory());
    this.counts = new TransactionCounters(access.ownership());
  }

  /** Those of the transaction that an operation is a statement of; null for any other. */
  public static TransactionWrites of(OperationContext operation) {
    return (TransactionWrites) OperationState.scope(operation);
  }

  /** Has an operation read and write in the transaction, until {@link #leave}. */
  public void enter(OperationContext operation) {
    OperationState.scope(operation, this);
    var unused = refresh(operation);
  }

  public void leave(OperationContext operation) {
    OperationState.scope(operation, null);
    operation.readPoint(null);
  }

  /** Has an operation read everything that was written so far, and nothing that comes later. */
  FixedView refresh(OperationContext operation) {
    FixedView view = view();
    // Not a share: the snapshot outlives the operation, and what goes on after it takes a share.
    operation.readPoint(new ReadState(view, snapshot.timestamp()));
    return view;
  }

  private FixedView view() {
    // Without changes it is the snapshot itself, which the record cache serves.
    return overlay.isEmpty() ? snapshot.view() : overlay.over(snapshot.view());
  }

  /** The cluster time that is read, as the 64 bits of a BSON timestamp; 0 if none was asked for. */
  public long readTime() {
    return snapshot.timestamp();
  }

  /** How many records and keys are latched. */
  public int latchCount() {
    return latches.mark();
  }

  /** The memory that the changes take. */
  public long bytes() {
    return overlay.bytes() + operationBytes;
  }

  public boolean isEmpty() {
    return overlay.isEmpty() && definitions.isEmpty();
  }

  /** The collections that it creates. */
  public TransactionDefinitions definitions() {
    return definitions;
  }

  @Override
  public Collection pending(Namespace namespace) {
    return definitions.find(namespace);
  }

  @Override
  public void add(Mutation changes) {
    overlay.add(changes);
  }

  /** Refuses to write by a definition that the snapshot does not have. */
  static void checkDefinition(Collection collection, OperationContext operation) {
    TransactionWrites transaction = of(operation);
    if (transaction != null) {
      transaction.checkDefinition(collection);
    }
  }

  void checkDefinition(Collection collection) {
    if (!collection.isUnchangedSince(snapshot.view().sequence())) {
      throw Conflicts.writeConflict();
    }
  }

  /**
   * The collection of a name, as the transaction sees it; null if there is none.
   *
   * @param create whether it is about to be written
   */
  Collection find(Namespace namespace, boolean create, OperationContext operation) {
    if (operation.writes().haveFailed()) {
      throw new CommandException(
          ErrorCode.NO_SUCH_TRANSACTION,
          "The transaction has been aborted because an earlier write in it failed",
          Conflicts.TRANSIENT);
    }
    Collection collection = access.catalog().find(namespace, operation);
    if (collection != null) {
      refuse(collection);
      return collection;
    }
    if (!create) {
      return null;
    }
    access.views().refuse(namespace);
    return definitions.create(namespace, RawDocument.EMPTY, null, operation);
  }

  private static void refuse(Collection collection) {
    if (collection.capped() != null) {
      throw new CommandException(
          ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
          "Collection '"
              + collection.namespace()
              + "' is a capped collection. Writes in transactions are not allowed on capped"
              + " collections.");
    }
  }

  /** Takes the shared lock of a collection; a change of its definition is waited for a moment. */
  void acquire(Collection collection, OperationContext operation) {
    int millis = limits.lockWaitMillis();
    if (millis < 0) {
      operation.acquire(collection.sharedLock());
      return;
    }
    try {
      if (!collection.sharedLock().tryLock(millis, TimeUnit.MILLISECONDS)) {
        throw new CommandException(
            ErrorCode.LOCK_TIMEOUT,
            "Unable to acquire lock '"
                + collection.namespace()
                + "' within a max lock request timeout of '"
                + millis
                + "ms' milliseconds.",
            Conflicts.TRANSIENT);
      }
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    }
  }

  LatchTable.Holder latches() {
    return latches;
  }

  InCollection in(Collection collection) {
    return collections.computeIfAbsent(collection.ident(), ident -> new InCollection(collection));
  }

  void latchKey(Index index, byte[] key) {
    LatchTable.Conflict held = latches.latchKey(index.ident(), key);
    if (held != null && !held.isWith(latches)) {
      throw Conflicts.writeConflict();
    }
  }

  /** Whether a latched key belongs to another record, as the transaction sees it. */
  boolean isTaken(Index index, byte[] key, long recordId) {
    UniqueKeys keys = index.uniqueKeys();
    ReadView stored = access.view();
    if (keys.isFreeSince(key, snapshot.view().sequence(), stored)) {
      return false;
    }
    if (keys.isHeld(key, recordId, newest)) {
      return true;
    }
    // A key that the transaction itself has given away is in the store and in the snapshot.
    if (keys.isHeld(key, recordId, stored) && !keys.isHeld(key, recordId, snapshot.view())) {
      throw Conflicts.writeConflict();
    }
    return false;
  }

  /** Whether a key belonged to a record when the transaction began. */
  boolean wasTaken(Index index, byte[] key) {
    return index.uniqueKeys().holder(key, snapshot.view()) >= 0;
  }

  Map<Integer, InCollection> collections() {
    return collections;
  }

  TransactionCounters counts() {
    return counts;
  }

  @Override
  public void recount(Collection collection, long moreOrphans) {
    counts.of(collection).addOrphans(moreOrphans);
  }

  @Override
  public void note(byte[] entry) {
    operations.add(new TransactionEntries.Operation(entry, null));
  }

  Overlay overlay() {
    return overlay;
  }

  List<TransactionEntries.Operation> operations() {
    return operations;
  }

  /** The changes of one collection. */
  final class InCollection {
    private final Collection collection;

    /** The changed records, and whether the transaction has inserted them. */
    private final Map<Long, Boolean> records = new LinkedHashMap<>();

    private final CounterDelta counters;
    private long greatestDeleted;

    private InCollection(Collection collection) {
      this.collection = collection;
      this.counters = counts.of(collection);
    }

    Collection collection() {
      return collection;
    }

    Map<Long, Boolean> records() {
      return records;
    }

    CounterDelta counters() {
      return counters;
    }

    long greatestDeleted() {
      return greatestDeleted;
    }

    void latch(long recordId) {
      LatchTable.Conflict held = latches.latchRecord(collection.ident(), recordId);
      if (held == null ? isChanged(recordId) : !held.isWith(latches)) {
        throw Conflicts.writeConflict();
      }
    }

    /** Whether another write has changed a latched record since the snapshot, or is about to. */
    private boolean isChanged(long recordId) {
      int ident = collection.ident();
      long since = snapshot.view().sequence();
      if (collection.recordCache().isUnchangedSince(ident, recordId, since)) {
        return false;
      }
      if (access.pending().find(ident, recordId) != null) {
        return true;
      }
      byte[] key = RecordKeys.recordKey(ident, recordId);
      return !Arrays.equals(
          snapshot.view().get(Keyspace.RECORDS, key), access.view().get(Keyspace.RECORDS, key));
    }

    /** A latched record with what the transaction has made of it; null if it does not exist. */
    RawDocument read(RecordReader reader, long recordId) {
      byte[] key = RecordKeys.recordKey(collection.ident(), recordId);
      if (!overlay.has(Keyspace.RECORDS, key)) {
        return reader.read(snapshot.view(), recordId);
      }
      byte[] own = overlay.value(Keyspace.RECORDS, key);
      return own == null ? null : RawDocument.of(own);
    }

    /** Takes over a change. */
    void add(
        long recordId,
        boolean inserted,
        Mutation mutation,
        CollectionChanges changes,
        OwnedRanges owned) {
      counts.changed(collection, owned);
      overlay.add(mutation);
      records.putIfAbsent(recordId, inserted);
      if (!mutation.oplogEntries().isEmpty()) {
        var operation = TransactionEntries.Operation.of(mutation);
        operations.add(operation);
        operationBytes += operation.sizeBytes();
        Conflicts.checkSize(operationBytes, access.log().mutationBytesMax());
      }
      memory.hold(bytes());
      counters.add(changes.counters());
      greatestDeleted = Math.max(greatestDeleted, changes.greatestDeleted());
    }

    /**
     * Stores marks of arrays outside of the transaction: readers plan by them at once. They stay if
     * the transaction is aborted, which only makes plans more careful. A collection that others do
     * not see gets them with the commit.
     */
    boolean store(List<Index.ArrayMark> marks) {
      var mutation = new MutationBuilder();
      marks.forEach(mark -> mutation.put(Keyspace.CATALOG, mark.key(), new byte[0]));
      if (definitions.find(collection.namespace()) == collection) {
        overlay.add(mutation.build());
      } else {
        access.log().submit(mutation.build()).awaitApplied();
      }
      marks.forEach(Index.ArrayMark::persisted);
      return true;
    }
  }

  /** Releases everything but the latches: what it has written is prepared. */
  public LatchTable.Holder closePrepared() {
    memory.close();
    snapshot.close();
    return latches;
  }

  /** Releases everything; what was not committed is gone. */
  @Override
  public void close() {
    counts.reset();
    memory.close();
    latches.close();
    snapshot.close();
  }
}
