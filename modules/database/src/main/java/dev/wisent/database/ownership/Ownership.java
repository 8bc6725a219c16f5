package dev.wisent.database.ownership;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.exec.DocumentOwnership;
import dev.wisent.database.exec.IdReader;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.sharding.OwnedKeys;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.RequestVersions;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.StaleConfigException;
import dev.wisent.sharding.StaleDatabaseException;
import dev.wisent.storage.FixedView;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.StorageEngine;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
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

  /**
   * One document with a number that grows with every change of databases, collections and chunks,
   * in the same entry of the log: by it a state tells which tables it has.
   */
  public static final Namespace GENERATION = new Namespace("config", PREFIX + "generation");

  public static final String GENERATION_ID = "generation";
  public static final String GENERATION_NUMBER = "n";

  private static final RawValue GENERATION_KEY = RawValue.ofString(GENERATION_ID);

  /** Where a shard's identity is, among other things. */
  public static final Namespace VERSIONS = new Namespace("admin", "system.version");

  public static final String IDENTITY_ID = "shardIdentity";

  private static final List<Namespace> SOURCES =
      List.of(VERSIONS, DATABASES, COLLECTIONS, CHUNKS, BLOCKS);

  /** Entries of the log are applied without a signal. */
  static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Catalog catalog;
  private final StorageEngine storage;
  private final Clock clock;
  private final BiFunction<OperationContext, FindRequest, ResultCursor> reader;
  private final ChangeSignal changes = new ChangeSignal();
  private final WriteBlocks blocks = new WriteBlocks(this);
  private final LongAdder staleErrors = new LongAdder();
  private final WriteSamples samples = new WriteSamples();
  private volatile Known known = new Known(new Object[SOURCES.size()], 0, ShardTables.NONE);

  /** The tables of an older state, of which there are seldom two that are read. */
  private volatile Known past = known;

  /**
   * Tables.
   *
   * @param versions those of the collections that the newest tables were read from
   * @param generation that of the state that they were read in
   */
  private record Known(Object[] versions, long generation, ShardTables tables) {}

  /**
   * @param reader finds documents of collections
   */
  public Ownership(
      Catalog catalog,
      StorageEngine storage,
      Clock clock,
      BiFunction<OperationContext, FindRequest, ResultCursor> reader) {
    this.catalog = catalog;
    this.storage = storage;
    this.clock = clock;
    this.reader = reader;
  }

  /** Whether a collection holds a part of the tables, which only a shard's own commands write. */
  public static boolean isTable(Namespace namespace) {
    return namespace.database().equals("config") && namespace.collection().startsWith(PREFIX);
  }

  /** What keeps writes out of collections. */
  public WriteBlocks blocks() {
    return blocks;
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

  /** Counts a request that was routed by another version. */
  public void countStale() {
    staleErrors.increment();
  }

  /** How many requests were routed by another version. */
  public long staleErrors() {
    return staleErrors.sum();
  }

  /** What this node owns now. */
  public ShardTables tables() {
    return isInUse() ? newest().tables : ShardTables.NONE;
  }

  private Known newest() {
    Known last = known;
    return isCurrent(last) ? last : read();
  }

  /** What this node owned in a state of the store. */
  private ShardTables tables(FixedView view) {
    if (!isInUse()) {
      return ShardTables.NONE;
    }
    long generation = generation(view);
    Known last = newest();
    if (last.generation == generation) {
      return last.tables;
    }
    Known before = past;
    if (before.generation != generation) {
      before = new Known(null, generation, readState(view));
      past = before;
    }
    return before.tables;
  }

  /** The number of the newest tables. */
  public long generation() {
    return generation(storage);
  }

  private long generation(ReadView view) {
    Collection numbers = catalog.find(GENERATION);
    if (numbers == null) {
      return 0;
    }
    byte[] key = numbers.idIndex().keyOf(GENERATION_KEY);
    long recordId = IdReader.find(key, numbers, view);
    RawDocument number = recordId < 0 ? null : new RecordReader(numbers).read(view, recordId);
    return number == null ? 0 : number.get(GENERATION_NUMBER).toLong();
  }

  private boolean isCurrent(Known last) {
    for (int i = 0; i < SOURCES.size(); i++) {
      if (version(SOURCES.get(i)) != last.versions[i]) {
        return false;
      }
    }
    return true;
  }

  /** Null where there is no collection. */
  private Object version(Namespace namespace) {
    Collection collection = catalog.find(namespace);
    return collection == null ? null : collection.version();
  }

  private synchronized Known read() {
    while (true) {
      if (isCurrent(known)) {
        return known;
      }
      Object[] versions = SOURCES.stream().map(this::version).toArray();
      try (FixedView view = storage.snapshot()) {
        known = new Known(versions, generation(view), readState(view));
        return known;
      } catch (CommandException e) {
        if (e.code() != ErrorCode.SNAPSHOT_UNAVAILABLE) {
          throw e;
        }
        // A definition has changed since the state was taken: a newer one has it.
      }
    }
  }

  /** Reads all tables in one state, so that they belong together. */
  private ShardTables readState(FixedView view) {
    OperationContext operation = OperationContext.internal(clock);
    operation.readPoint(new ReadState(view, 0));
    return new TableReader(request -> reader.apply(operation, request)).read();
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
    return routed != null && routed.isAdmitted(namespace);
  }

  /**
   * Lets a write begin as soon as no coordinator keeps writes out. A router's view of the
   * collection may be another one after that wait, and is checked again.
   */
  public WriteBlocks.Pass admit(Namespace namespace, OperationContext operation, WriteGate gate) {
    if (isAdmitted(namespace, operation)) {
      return WriteBlocks.Pass.UNCOUNTED;
    }
    return checked(blocks.enter(namespace, operation, gate), namespace, operation);
  }

  /** The same for one that does not wait; null where writes are kept out. */
  public WriteBlocks.Pass tryAdmit(Namespace namespace, OperationContext operation) {
    if (isAdmitted(namespace, operation)) {
      return WriteBlocks.Pass.UNCOUNTED;
    }
    WriteBlocks.Pass pass = blocks.tryEnter(namespace);
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
    ShardTables tables = tables(view);
    try {
      tables.check(namespace, routed);
    } catch (StaleConfigException | StaleDatabaseException e) {
      // The version is the newest one, and a router can do nothing about an older state.
      throw operation.readPoint() == null ? e : ReadState.unavailable(namespace);
    }
    OwnedRanges owned = tables.collection(namespace);
    return owned == null || owned.isComplete() ? null : owned;
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
    OwnedRanges owned = namespace.isInternal() ? null : tables().collection(namespace);
    return owned == null || owned.isComplete() ? null : new OwnedKeys(owned);
  }

  /** The shard key of a collection; null where it is not sharded. */
  public ShardKeyPattern shardKey(Namespace namespace) {
    OwnedRanges owned = namespace.isInternal() ? null : tables().collection(namespace);
    return owned == null ? null : owned.key();
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
   * Fails where a request of a router comes to a sharded collection through a stage that reads
   * other collections.
   */
  public void checkWhole(Namespace namespace, OperationContext operation) {
    if (isPart(namespace, operation)) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_SUPPORTED,
          "Reading the sharded collection "
              + namespace
              + " in another collection's pipeline is what a router does");
    }
  }

  /** As {@link #forOperation}, for the check alone. */
  public void check(Namespace namespace, OperationContext operation) {
    var unused = forOperation(namespace, operation);
  }
}
