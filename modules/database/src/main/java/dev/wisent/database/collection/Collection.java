package dev.wisent.database.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.IndexFilters;
import dev.wisent.database.plan.PlanCache;
import dev.wisent.operation.Namespace;
import dev.wisent.query.collation.Collation;
import dev.wisent.storage.RecordSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A collection at run time: its definition, indexes, counters and locks.
 *
 * <p>Writers hold {@link #sharedLock} from evaluation to the end of their commit; changes of the
 * definition hold {@link #exclusiveLock}, an index build when it begins and when it ends; between
 * them writers tell it by {@link #watch} what they change. Readers do not wait for any of them:
 * they hold {@link #definitionLock} while they take the definition together with a snapshot, and a
 * change holds its other side only from its commit to its publication.
 */
public final class Collection {
  private final int ident;
  private final RecordCache recordCache;
  private final RecordIds recordIds;
  private final Oplog oplog; // null for any other collection
  private final RecordSpace records;

  /** Null until it is asked for again after a change. */
  private volatile Object version;

  private final AtomicLong documents;
  private final AtomicLong dataBytes;
  private final Orphans orphans;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final ReadWriteLock definitionLock = new ReentrantReadWriteLock();
  private final ReentrantLock cappedLock = new ReentrantLock();
  private final TailSignal tail = new TailSignal();
  private final RecordWatch watch = new RecordWatch();
  private final List<NamedBuild> builds = new CopyOnWriteArrayList<>();
  private final PlanCache planCache = new PlanCache();
  private final IndexFilters indexFilters = new IndexFilters();
  private final ScanCounts scans = new ScanCounts();
  private long oldestRecordId; // guarded by cappedLock
  private volatile State state;
  private volatile long namedAt;
  private volatile long changedAt;
  private final PreparedCount prepared = new PreparedCount();
  private volatile boolean dropped;
  private volatile boolean replaced;

  private record NamedBuild(UUID uuid, IndexBuild build) {}

  /** What the definition says, ready for use; replaced as a whole. */
  record State(
      CollectionDefinition definition,
      List<Index> indexes,
      CappedLimits capped,
      DocumentRules rules,
      Collation collation,
      boolean keepsPreImages) {}

  Collection(State state, RecordCache recordCache, RecordIds recordIds, StoredCounters stored) {
    this.recordCache = recordCache;
    this.state = state;
    this.ident = state.definition().ident();
    this.recordIds = recordIds;
    this.oplog = null;
    this.records = RecordSpace.ofIdent(ident);
    this.documents = new AtomicLong(stored.documents());
    this.dataBytes = new AtomicLong(stored.bytes());
    this.orphans = stored.orphans();
  }

  /** For the oplog, which knows its own size. */
  Collection(State state, RecordCache recordCache, Oplog oplog) {
    this.recordCache = recordCache;
    this.state = state;
    this.ident = state.definition().ident();
    this.recordIds = null;
    this.oplog = oplog;
    this.records = RecordSpace.OPLOG;
    this.documents = new AtomicLong();
    this.dataBytes = new AtomicLong();
    this.orphans = new Orphans(0, () -> 0);
  }

  /** Whether this is the oplog, to which only the log writes. */
  public boolean isOplog() {
    return oplog != null;
  }

  /**
   * Fails where only the node itself writes.
   *
   * @param why what cannot be done to the oplog
   */
  void requireNotOfTheLog(ErrorCode code, String why) {
    if (oplog != null) {
      throw new CommandException(code, why);
    }
    if (isOfTheLog()) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "can't change system collection " + namespace());
    }
  }

  /**
   * Whether only the node itself writes to it: the oplog, and the collection of images. Both have
   * no index, and timestamps as record ids.
   */
  public boolean isOfTheLog() {
    return oplog != null || namespace().equals(PreImages.NAMESPACE);
  }

  /** Whether its documents are kept as they were before updates and deletions. */
  public boolean keepsPreImages() {
    return state.keepsPreImages();
  }

  /** Where its records are. */
  public RecordSpace records() {
    return records;
  }

  /** The node's cache of documents. */
  public RecordCache recordCache() {
    return recordCache;
  }

  public int ident() {
    return ident;
  }

  public Namespace namespace() {
    return state.definition().namespace();
  }

  public CollectionDefinition definition() {
    return oplog == null ? state.definition() : oplog.definition();
  }

  /** All indexes; the one on {@code _id} is first, where there is one. */
  public List<Index> indexes() {
    return state.indexes();
  }

  public Index idIndex() {
    return state.indexes().getFirst();
  }

  public boolean hasIdIndex() {
    return !state.indexes().isEmpty();
  }

  /** Limits of a capped collection; null for any other. */
  public CappedLimits capped() {
    return oplog == null ? state.capped() : new CappedLimits(oplog.limits().bytesMax(), 0);
  }

  /** What its operations use that name no collation; null for the simple one. */
  public Collation collation() {
    return state.collation();
  }

  public DocumentRules rules() {
    return state.rules();
  }

  public boolean isDropped() {
    return dropped;
  }

  /** Whether this is still the collection of that name. */
  public boolean isCalled(Namespace name) {
    return !dropped && namespace().equals(name);
  }

  public RecordIds recordIds() {
    return recordIds;
  }

  public long documents() {
    return oplog == null ? documents.get() : oplog.entries();
  }

  public long dataBytes() {
    return oplog == null ? dataBytes.get() : oplog.bytes();
  }

  /** Those of the documents that this node does not own as a shard. */
  public Orphans orphans() {
    return orphans;
  }

  /** Follows a committed mutation that carried the same differences to the stored counters. */
  public void count(long moreDocuments, long moreBytes) {
    if (moreDocuments != 0) {
      documents.addAndGet(moreDocuments);
    }
    if (moreBytes != 0) {
      dataBytes.addAndGet(moreBytes);
    }
  }

  /**
   * An object that is replaced when documents change, see {@link
   * dev.wisent.operation.Operations#version}. A reader that reads after taking it sees all changes
   * before it.
   */
  public Object version() {
    Object current = version;
    if (current == null) {
      current = new Object();
      version = current;
    }
    return current;
  }

  /** Documents have changed in the store. */
  public void changed() {
    if (version != null) {
      version = null;
    }
  }

  /** Changes of prepared transactions, for which the definition stays as it is. */
  public PreparedCount prepared() {
    return prepared;
  }

  public Lock sharedLock() {
    return lock.readLock();
  }

  public Lock exclusiveLock() {
    return lock.writeLock();
  }

  /** For readers: the definition stays as it is and fits a snapshot that is taken meanwhile. */
  public Lock definitionLock() {
    return definitionLock.readLock();
  }

  /**
   * For changes: no reader sees the store with the change and the definition without, or reversed.
   */
  Lock publicationLock() {
    return definitionLock.writeLock();
  }

  /**
   * Inserts into a capped collection are made one at a time, so that record ids appear in order.
   */
  public Lock cappedLock() {
    return cappedLock;
  }

  /**
   * No record of a capped collection is older than this one, which may be gone. The caller holds
   * the capped lock.
   */
  public long oldestRecordId() {
    return oldestRecordId;
  }

  /** Spares the next eviction the way over the remains of those before. */
  public void oldestRecordId(long recordId) {
    oldestRecordId = recordId;
  }

  public ScanCounts scans() {
    return scans;
  }

  /** Which plans have won for which queries; forgotten when the definition changes. */
  public PlanCache planCache() {
    return planCache;
  }

  public IndexFilters indexFilters() {
    return indexFilters;
  }

  public TailSignal tail() {
    return tail;
  }

  /** Where writers tell which records they change. */
  public RecordWatch watch() {
    return watch;
  }

  /** Builds of indexes that are under way. None begins while the exclusive lock is held. */
  List<IndexBuild> builds() {
    return builds.stream().map(NamedBuild::build).toList();
  }

  /** The caller holds the exclusive lock. */
  void addBuild(UUID uuid, IndexBuild build) {
    builds.add(new NamedBuild(uuid, build));
  }

  void removeBuild(IndexBuild build) {
    builds.removeIf(named -> named.build() == build);
  }

  /** An index that is being built, and by which build. */
  public record BuildingIndex(IndexDefinition definition, UUID build) {}

  public List<BuildingIndex> buildingIndexes() {
    return builds.stream()
        .flatMap(
            named ->
                named.build().definitions().stream()
                    .map(definition -> new BuildingIndex(definition, named.uuid())))
        .toList();
  }

  /** The definition as it will be when all builds have succeeded. */
  CollectionDefinition definitionWithBuilding() {
    CollectionDefinition definition = definition();
    var indexes = new ArrayList<>(definition.indexes());
    builds.forEach(named -> indexes.addAll(named.build().definitions()));
    return definition.withIndexes(indexes);
  }

  /** Fails if an index is being built, for changes that cannot be made meanwhile. */
  public void requireNoBuilds() {
    if (!builds.isEmpty()) {
      throw isBeingBuilt();
    }
  }

  CommandException isBeingBuilt() {
    return new CommandException(
        ErrorCode.BACKGROUND_OPERATION_IN_PROGRESS_FOR_NAMESPACE,
        "cannot perform operation: an index build is currently running for collection with UUID: "
            + definition().uuid());
  }

  /** Publishes a changed definition. The caller holds the exclusive lock and has committed it. */
  void publish(State changed, long sequence) {
    state = changed;
    changedAt = sequence;
    planCache.clear();
  }

  /** Notes which change of the store has given it its name. */
  void named(long sequence) {
    namedAt = sequence;
    changedAt = sequence;
  }

  /** Whether it was there, under its name, when the store had come to this change. */
  boolean wasThere(long sequence) {
    return namedAt <= sequence;
  }

  /** Whether its definition was what it is now when the store had come to this change. */
  public boolean isUnchangedSince(long sequence) {
    return changedAt <= sequence;
  }

  /** Marks the collection as gone and wakes the threads that wait at its end. */
  void markDropped() {
    dropped = true;
    tail.signal();
  }

  /** Whether the whole store was replaced by another one meanwhile. */
  public boolean isReplaced() {
    return replaced;
  }

  void markReplaced() {
    replaced = true;
    markDropped();
  }

  /** Index entries by name, for those that look one up rarely. */
  public Index index(String name) {
    for (Index index : state.indexes()) {
      if (index.name().equals(name)) {
        return index;
      }
    }
    return null;
  }
}
