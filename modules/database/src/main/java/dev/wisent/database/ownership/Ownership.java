package dev.wisent.database.ownership;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.PendingCollections;
import dev.wisent.database.exec.CursorState;
import dev.wisent.database.exec.DocumentOwnership;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RangeDeletionSettings;
import dev.wisent.operation.ResultCursor;
import dev.wisent.sharding.OwnedKeys;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.RequestVersions;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.StaleConfigException;
import dev.wisent.sharding.StaleDatabaseException;
import dev.wisent.storage.FixedView;
import dev.wisent.storage.StorageEngine;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * What this node owns as a shard, as its store says. The tables are read again after each change of
 * their collections, whatever made it: this node, the log of its set, or a copy of another member's
 * data. Thread-safe.
 */
public final class Ownership implements DocumentOwnership {
  private static final String PREFIX = "shard.catalog.";
  public static final Namespace DATABASES = new Namespace("config", PREFIX + "databases");
  public static final Namespace COLLECTIONS = new Namespace("config", PREFIX + "collections");
  public static final Namespace CHUNKS = new Namespace("config", PREFIX + "chunks");
  public static final Namespace BLOCKS = new Namespace("config", PREFIX + "blocks");
  public static final Namespace MOVES = new Namespace("config", PREFIX + "moves");

  /** Which blocks and moves have ended, for a while: a request to begin one may come late. */
  public static final Namespace ENDED_BLOCKS = new Namespace("config", PREFIX + "endedBlocks");

  public static final Namespace ENDED_MOVES = new Namespace("config", PREFIX + "endedMoves");

  /** The newest calls of coordinators, for a while: earlier ones may come late. */
  public static final Namespace CALLS = new Namespace("config", PREFIX + "calls");

  /**
   * One document with a number that grows with every change of databases, collections and chunks,
   * in the same entry of the log: by it a state tells which tables it has.
   */
  public static final Namespace GENERATION = new Namespace("config", PREFIX + "generation");

  /** Ranges whose documents are to be deleted, in MongoDB's shape. */
  public static final Namespace RANGE_DELETIONS = new Namespace("config", "rangeDeletions");

  public static final String GENERATION_ID = "generation";
  public static final String GENERATION_NUMBER = "n";

  /** Where a shard's identity is, among other things. */
  public static final Namespace VERSIONS = new Namespace("admin", "system.version");

  public static final String IDENTITY_ID = "shardIdentity";

  /** Entries of the log are applied without a signal. */
  static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Catalog catalog;
  private final StoredTables stored;
  private final ChangeSignal changes = new ChangeSignal();
  private final WriteBlocks blocks;
  private final OrphanRecounts recounts;
  private final CursorStates cursorStates;
  private final IncomingRanges incoming;
  private final RangeDeletionSettings rangeDeletions = new RangeDeletionSettings();
  private volatile OrphanDeleter orphanDeleter;
  private volatile IncomingMigrations incomingMigrations = IncomingMigrations.NONE;
  private final WriteSamples samples = new WriteSamples();

  /**
   * @param reader finds documents of collections
   */
  public Ownership(
      Catalog catalog,
      StorageEngine storage,
      Clock clock,
      BiFunction<OperationContext, FindRequest, ResultCursor> reader) {
    this.catalog = catalog;
    this.blocks = new WriteBlocks(this, clock);
    this.recounts = new OrphanRecounts(this, catalog, clock, reader);
    catalog.orphanCounter(recounts);
    this.cursorStates = new CursorStates(this, storage);
    this.incoming = new IncomingRanges(catalog, clock, reader);
    catalog.tableChanges(cursorStates);
    this.stored = new StoredTables(catalog, storage, clock, reader);
  }

  /** Whether a collection holds a part of the tables, which only a shard's own commands write. */
  public static boolean isTable(Namespace namespace) {
    return namespace.database().equals("config") && namespace.collection().startsWith(PREFIX);
  }

  /** What keeps writes out of collections. */
  public WriteBlocks blocks() {
    return blocks;
  }

  /** What counts documents that are not owned where the tables change. */
  public OrphanRecounts recounts() {
    return recounts;
  }

  /** The states in which open cursors of routers go on. */
  public CursorStates cursorStates() {
    return cursorStates;
  }

  /** The ranges that come to this shard. */
  public IncomingRanges incoming() {
    return incoming;
  }

  /** How ranges that were given away are deleted. */
  public RangeDeletionSettings rangeDeletions() {
    return rangeDeletions;
  }

  /** What deletes documents that are not owned. */
  public OrphanDeleter orphanDeleter() {
    return orphanDeleter;
  }

  /** To be set before the first operation. */
  public void orphanDeleter(OrphanDeleter deleter) {
    orphanDeleter = deleter;
  }

  /** What ends migrations whose documents are in the way. */
  public IncomingMigrations incomingMigrations() {
    return incomingMigrations;
  }

  /** To be set before the first operation of a router. */
  public void incomingMigrations(IncomingMigrations migrations) {
    incomingMigrations = migrations;
  }

  /** What was written to sharded collections. */
  public WriteSamples samples() {
    return samples;
  }

  /** Whether this node has been a shard at any time; most have not. */
  public boolean isInUse() {
    return catalog.find(DATABASES) != null;
  }

  /**
   * Whether a coordinator has made a collection here and has yet to tell what this shard owns of
   * it: where the primary of its database is another shard, there are only sharded ones.
   */
  public boolean isToBeSharded(Namespace namespace, ShardTables tables) {
    return tables.collection(namespace) == null
        && tables.database(namespace.database()) == null
        && catalog.find(namespace) != null;
  }

  /** What this node owns now. */
  public ShardTables tables() {
    return isInUse() ? stored.newest() : ShardTables.NONE;
  }

  /** What this node owned in a state of the store. */
  ShardTables tables(FixedView view) {
    return isInUse() ? stored.in(view) : ShardTables.NONE;
  }

  /** The number of the newest tables. */
  public long generation() {
    return stored.newestGeneration();
  }

  /** The number of the tables in a state of the store. */
  long generation(FixedView view) {
    return stored.generation(view);
  }

  /**
   * Waits for a change of the tables, for as long as an operation may go on.
   *
   * @param nanosMax how long at most
   * @return whether the condition holds
   */
  public boolean awaitTables(
      OperationContext operation, Predicate<ShardTables> condition, long nanosMax) {
    long start = operation.clock().monotonicNanos();
    boolean[] holds = {false};
    operation.await(
        timeoutNanos -> {
          holds[0] = condition.test(tables());
          if (holds[0] || operation.clock().monotonicNanos() - start >= nanosMax) {
            return true;
          }
          changes.awaitChange(Math.min(timeoutNanos, LOOK_NANOS));
          return false;
        });
    return holds[0];
  }

  /** Wakes those who wait for a change that this node has made. */
  public void changed() {
    changes.signal();
  }

  /**
   * What this node owns of a collection that an operation reads or writes; null where all documents
   * count: the collection is not sharded, or no router sent the operation.
   *
   * @throws dev.wisent.sharding.StaleConfigException if the router knew another version
   */
  public OwnedRanges forOperation(Namespace namespace, OperationContext operation) {
    RequestVersions routed = OperationState.routed(operation);
    if (routed == null) {
      return null;
    }
    ShardTables tables = tables();
    tables.check(namespace, routed);
    return tables.collection(namespace);
  }

  /** Whether a request of a router has its pass for a collection already. */
  public boolean isAdmitted(Namespace namespace, OperationContext operation) {
    RequestVersions routed = OperationState.routed(operation);
    return (routed != null && routed.isAdmitted(namespace))
        || namespace.equals(OperationState.admitted(operation));
  }

  /** Lets a write begin as soon as none keeps it out, and checks its version after that wait. */
  public WriteBlocks.Pass admit(
      Namespace namespace, WriteBlocks.Length length, OperationContext operation, WriteGate gate) {
    if (isAdmitted(namespace, operation)) {
      return WriteBlocks.Pass.UNCOUNTED;
    }
    WriteBlocks.Pass pass = blocks.tryEnter(namespace, length);
    if (pass == null) {
      blocks.leaveTurn(namespace, operation);
      pass = blocks.enter(namespace, length, operation, gate);
    }
    return checked(pass, namespace, operation);
  }

  /** The same for one that does not wait; null where writes are kept out. */
  public WriteBlocks.Pass tryAdmit(Namespace namespace, OperationContext operation) {
    if (isAdmitted(namespace, operation)) {
      return WriteBlocks.Pass.UNCOUNTED;
    }
    WriteBlocks.Pass pass = blocks.tryEnter(namespace, WriteBlocks.Length.SHORT);
    return pass == null ? null : checked(pass, namespace, operation);
  }

  private WriteBlocks.Pass checked(
      WriteBlocks.Pass pass, Namespace namespace, OperationContext operation) {
    try {
      check(namespace, operation);
      return pass;
    } catch (RuntimeException e) {
      pass.close();
      throw e;
    }
  }

  @Override
  public OwnedRanges at(FixedView view, Namespace namespace, OperationContext operation) {
    RequestVersions routed = OperationState.routed(operation);
    if (routed == null || namespace.isInternal()) {
      return null;
    }
    // The database of a collection that the transaction creates may be newer than its state.
    ShardTables tables = isCreatedBy(operation, namespace) ? tables() : tables(view);
    OwnedRanges owned;
    try {
      tables.check(namespace, routed);
      owned = tables.collection(namespace);
    } catch (StaleConfigException | StaleDatabaseException e) {
      if (operation.readPoint() == null) {
        throw e;
      }
      owned = PastRanges.of(namespace, tables, tables(), operation);
    }
    return owned == null || owned.isComplete() ? null : owned;
  }

  private static boolean isCreatedBy(OperationContext operation, Namespace namespace) {
    return OperationState.scope(operation) instanceof PendingCollections transaction
        && transaction.pending(namespace) != null;
  }

  @Override
  public boolean isStillOwned(OwnedRanges owned, FixedView view) {
    return owned.isSameAs(tables(view).collection(owned.namespace()));
  }

  @Override
  public CursorState cursorState(Namespace namespace, FixedView view, OperationContext operation) {
    return !isRouted(operation) || operation.readPoint() != null || namespace.isInternal()
        ? null
        : cursorStates.register(namespace, view);
  }

  @Override
  public void checkMissing(Namespace namespace, OperationContext operation) {
    check(namespace, operation);
    ReadState state = ReadState.of(operation);
    if (state != null && isRouted(operation) && !namespace.isInternal()) {
      PastRanges.checkMissing(namespace, tables(state.view()), tables(), operation);
    }
  }

  @Override
  public boolean isWhole(Namespace namespace, OperationContext operation) {
    OwnedRanges owned = forOperation(namespace, operation);
    return owned == null || owned.isComplete();
  }

  /**
   * What the documents of a collection are asked with, for work of the shard itself; null where it
   * owns them all.
   */
  public OwnedKeys ownedKeys(Namespace namespace) {
    OwnedRanges owned = owned(namespace);
    return owned == null || owned.isComplete() ? null : new OwnedKeys(owned);
  }

  /** What this node owns of a collection; null where that is not sharded. */
  public OwnedRanges owned(Namespace namespace) {
    return namespace.isInternal() ? null : tables().collection(namespace);
  }

  /** The shard key of a collection; null where it is not sharded. */
  public ShardKeyPattern shardKey(Namespace namespace) {
    OwnedRanges owned = owned(namespace);
    return owned == null ? null : owned.key();
  }

  /** What unique indexes begin with; null where all documents are on one shard. */
  public ShardKeyPattern keyOfIndexes(Namespace namespace) {
    OwnedRanges owned = owned(namespace);
    return owned == null || owned.unsplittable() ? null : owned.key();
  }

  /** Whether a router has sent an operation. */
  public boolean isRouted(OperationContext operation) {
    return OperationState.routed(operation) != null;
  }

  /**
   * Whether a request of a router has come to a sharded collection through another name: this shard
   * has only a part of it.
   */
  public boolean isPart(Namespace namespace, OperationContext operation) {
    RequestVersions routed = OperationState.routed(operation);
    return routed != null
        && routed.of(namespace).isUnsharded()
        && !namespace.isInternal()
        && tables().collection(namespace) != null;
  }

  /**
   * Fails where a collection that a pipeline of a router reads besides its own has been sharded
   * since the pipeline began.
   */
  public void checkWhole(Namespace namespace, OperationContext operation) {
    if (isPart(namespace, operation)) {
      throw new CommandException(
          ErrorCode.QUERY_PLAN_KILLED,
          "The collection " + namespace + " has been sharded while a pipeline was reading it");
    }
  }

  /** As {@link #forOperation}, for the check alone. */
  public void check(Namespace namespace, OperationContext operation) {
    var unused = forOperation(namespace, operation);
  }
}
