package dev.wisent.database;

import dev.wisent.base.Clock;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.CatalogChanges;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.collection.Leftovers;
import dev.wisent.database.collection.PendingVersions;
import dev.wisent.database.collection.RecordCache;
import dev.wisent.database.collection.Reigns;
import dev.wisent.database.cursor.EmptyCursor;
import dev.wisent.database.cursor.FindCursor;
import dev.wisent.database.cursor.PipelineCursor;
import dev.wisent.database.exec.Explainer;
import dev.wisent.database.exec.PlanCacheCounters;
import dev.wisent.database.exec.PlanExecutor;
import dev.wisent.database.exec.PlanReport;
import dev.wisent.database.exec.PlanSummary;
import dev.wisent.database.exec.PlannedQuery;
import dev.wisent.database.exec.RunningPlan;
import dev.wisent.database.operation.AggregateRequest;
import dev.wisent.database.operation.CountRequest;
import dev.wisent.database.operation.DeleteRequest;
import dev.wisent.database.operation.DistinctRequest;
import dev.wisent.database.operation.ExplainRequest;
import dev.wisent.database.operation.FindAndModifyOutcome;
import dev.wisent.database.operation.FindAndModifyRequest;
import dev.wisent.database.operation.FindRequest;
import dev.wisent.database.operation.FindRequest.Tailing;
import dev.wisent.database.operation.InsertRequest;
import dev.wisent.database.operation.Operations;
import dev.wisent.database.operation.ResultCursor;
import dev.wisent.database.operation.UpdateRequest;
import dev.wisent.database.operation.WriteOutcome;
import dev.wisent.database.oplog.OplogNotes;
import dev.wisent.database.oplog.OplogTrimmer;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.Query;
import dev.wisent.database.plan.TextQueries;
import dev.wisent.database.read.Counter;
import dev.wisent.database.read.DistinctValues;
import dev.wisent.database.read.PipelineRun;
import dev.wisent.database.read.PreparedPipeline;
import dev.wisent.database.read.PushedStages;
import dev.wisent.database.session.RetryableWrites;
import dev.wisent.database.write.DeleteExecutor;
import dev.wisent.database.write.EntryApplier;
import dev.wisent.database.write.ExpiryExecutor;
import dev.wisent.database.write.FindAndModifyExecutor;
import dev.wisent.database.write.InsertExecutor;
import dev.wisent.database.write.UpdateExecutor;
import dev.wisent.database.write.WriteGate;
import dev.wisent.database.write.Writers;
import dev.wisent.query.collation.Collation;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.StorageEngine;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** The collections of this node, behind {@link Operations}. Thread-safe. */
public final class LocalDatabase implements Operations {
  private static final long RECORD_CACHE_BYTES_MAX = 256L << 20;
  private static final long OWN_RECORD_CACHE_BYTES = 1L << 20;

  private final StorageEngine storage;
  private final CommitLog log;
  private final Catalog catalog;
  private final CatalogChanges changes;
  private final WriteGate gate;
  private final Reigns reigns;
  private final SortSettings sorting;
  private final PlanExecutor plans;
  private final Explainer explainer;
  private final LatchTable latches = new LatchTable();
  private final InsertExecutor inserts;
  private final UpdateExecutor updates;
  private final DeleteExecutor deletes;
  private final FindAndModifyExecutor findAndModify;
  private final ExpiryExecutor expiry;
  private final RetryableWrites retryableWrites;
  private final EntryApplier entries;
  private final OplogNotes oplogNotes;
  private final OplogTrimmer oplogTrimmer;

  private LocalDatabase(
      StorageEngine storage,
      CommitLog log,
      Clock clock,
      SortSettings sorting,
      long recordCacheBytes) {
    this.storage = storage;
    this.log = log;
    this.sorting = sorting;
    this.plans = new PlanExecutor(storage, sorting);
    this.gate = log.isReplicated() ? WriteGate.closed() : WriteGate.alwaysOpen();
    this.catalog = Catalog.load(storage, () -> new RecordCache(recordCacheBytes), log.keepsOplog());
    this.changes = new CatalogChanges(storage, log, catalog, gate, UUID::randomUUID);
    this.reigns = new Reigns(storage, log, catalog, changes, gate, clock);
    var contexts = UpdateContexts.of(clock);
    this.explainer = new Explainer(catalog, plans, contexts, this::stages);
    var writers =
        new Writers(
            storage, log, catalog, changes, latches, new PendingVersions(), contexts, gate, plans);
    this.inserts = new InsertExecutor(writers);
    this.updates = new UpdateExecutor(writers, inserts);
    this.deletes = new DeleteExecutor(writers);
    this.findAndModify = new FindAndModifyExecutor(writers, updates, deletes);
    this.expiry = new ExpiryExecutor(writers);
    this.retryableWrites = new RetryableWrites(storage, log, gate);
    this.entries = new EntryApplier(writers, inserts, updates, deletes);
    this.oplogNotes = new OplogNotes(log, gate);
    this.oplogTrimmer =
        catalog.oplog() == null ? null : new OplogTrimmer(storage, log, gate, catalog.oplog());
  }

  /** A part of the heap that leaves room for the largest messages and sorts. */
  private static long recordCacheBytes() {
    return Math.min(RECORD_CACHE_BYTES_MAX, Runtime.getRuntime().maxMemory() / 8);
  }

  /** Opens what is stored. On a replicated log no writes are accepted before a reign begins. */
  public static LocalDatabase open(StorageEngine storage, CommitLog log, Clock clock) {
    var sorting = new SortSettings(storage.temporaryFiles());
    return open(new LocalDatabase(storage, log, clock, sorting, recordCacheBytes()), clock);
  }

  /** Opens what a member of a replica set has for itself, which is little. */
  public static LocalDatabase openOwn(
      StorageEngine storage, CommitLog log, Clock clock, LocalDatabase shared) {
    var database = new LocalDatabase(storage, log, clock, shared.sorting, OWN_RECORD_CACHE_BYTES);
    return open(database, clock);
  }

  private static LocalDatabase open(LocalDatabase database, Clock clock) {
    CommitLog log = database.log;
    if (!log.isReplicated()) {
      new Leftovers(database.storage, database.catalog)
          .remove(database.changes, log, OperationContext.internal(clock));
    }
    return database;
  }

  public StorageEngine storage() {
    return storage;
  }

  /** Has everything that is written by now on disk, outside of the log. */
  void flush() {
    log.sync();
    storage.flush();
  }

  public Catalog catalog() {
    return catalog;
  }

  public CatalogChanges changes() {
    return changes;
  }

  /** Who is to be told on a replicated log when this node begins or ceases to lead it. */
  public Reigns reigns() {
    return reigns;
  }

  /** Keeps writes out while a backup is made. */
  public WriteGate writeGate() {
    return gate;
  }

  public SortSettings sorting() {
    return sorting;
  }

  public PlanCacheCounters planCacheCounters() {
    return plans.cacheCounters();
  }

  /** Deletes documents whose time is over. */
  public ExpiryExecutor expiry() {
    return expiry;
  }

  /** Writes oplog entries that no change of data goes with. */
  public OplogNotes oplogNotes() {
    return oplogNotes;
  }

  public RetryableWrites retryableWrites() {
    return retryableWrites;
  }

  /** Does to documents what entries of an oplog say. */
  public EntryApplier entries() {
    return entries;
  }

  /** Keeps the oplog within its limits; null if there is none. */
  public OplogTrimmer oplogTrimmer() {
    return oplogTrimmer;
  }

  LatchTable latches() {
    return latches;
  }

  @Override
  public Collation collation(Namespace namespace) {
    Collection collection = catalog.find(namespace);
    return collection == null ? null : collection.collation();
  }

  @Override
  public ResultCursor find(OperationContext operation, FindRequest request) {
    Collation ofCollection =
        request.collation().isInherited() ? null : collation(request.namespace());
    RawValue id = Query.exactId(request, ofCollection);
    return id == null ? findPlanned(operation, request) : findById(operation, request, id);
  }

  /** A query by {@code _id} alone is not planned at all. */
  private ResultCursor findById(OperationContext operation, FindRequest request, RawValue id) {
    Collection collection = catalog.find(request.namespace());
    Collation ofCollection = collection == null ? null : collection.collation();
    PlanNode plan = Query.planById(request, id, ofCollection, operation);
    return collection == null
        ? new EmptyCursor()
        : new FindCursor(
            storage, plans.startById(collection, plan, operation), request, 0, operation);
  }

  private ResultCursor findPlanned(OperationContext operation, FindRequest request) {
    while (true) {
      Collection collection = catalog.find(request.namespace());
      Collation ofCollection = collection == null ? null : collection.collation();
      Query query = Query.find(request, ofCollection, operation);
      if (collection == null) {
        TextQueries.checkMissing(request.namespace(), query);
        operation.planSummary(() -> PlanSummary.NOTHING);
        return new EmptyCursor();
      }
      if (request.tailing() != Tailing.NONE) {
        TailableQueries.check(collection, request);
      }
      long tailVersion = request.tailing() == Tailing.NONE ? 0 : collection.tail().version();
      RunningPlan plan = start(collection, query, request.namespace(), operation);
      if (plan != null) {
        return new FindCursor(storage, plan, request, tailVersion, operation);
      }
    }
  }

  /**
   * The plan of a query at work; null if there is no collection.
   *
   * @param parser makes the query for the collation of the collection
   */
  private RunningPlan start(
      Function<Collation, Query> parser, Namespace namespace, OperationContext operation) {
    while (true) {
      Collection collection = catalog.find(namespace);
      Query query = parser.apply(collection == null ? null : collection.collation());
      if (collection == null) {
        TextQueries.checkMissing(namespace, query);
        operation.planSummary(() -> PlanSummary.NOTHING);
        return null;
      }
      RunningPlan plan = start(collection, query, namespace, operation);
      if (plan != null) {
        return plan;
      }
    }
  }

  /** Null where the collection was dropped or renamed meanwhile. */
  private RunningPlan start(
      Collection collection, Query query, Namespace namespace, OperationContext operation) {
    PlannedQuery planned;
    collection.definitionLock().lock();
    try {
      if (!collection.isCalled(namespace)) {
        return null;
      }
      planned = plans.plan(collection, query, operation);
    } finally {
      collection.definitionLock().unlock();
    }
    return planned.start();
  }

  @Override
  public ResultCursor aggregate(OperationContext operation, AggregateRequest request) {
    if (request.pipeline().isSource()) {
      return new PipelineCursor(
          new EmptyCursor(), request.pipeline(), 0, stages(operation, request.namespace()));
    }
    PreparedPipeline prepared = PreparedPipeline.of(request, catalog);
    PushedStages pushed = prepared.pushed();
    ResultCursor input = find(operation, pushed.toFind(request));
    if (prepared.isFind()) {
      return input;
    }
    try {
      return new PipelineCursor(
          input, prepared.pipeline(), pushed.count(), stages(operation, request.namespace()));
    } catch (RuntimeException | Error e) {
      input.close();
      throw e;
    }
  }

  @Override
  public PipelineRun stages(OperationContext operation, Namespace namespace) {
    return new PipelineRun(this, catalog, sorting, namespace, operation);
  }

  @Override
  public WriteOutcome insert(OperationContext operation, InsertRequest request) {
    return operation.retryableWrite() == null
        ? inserts.insert(operation, request)
        : retryableWrites.run(operation, () -> inserts.insert(operation, request));
  }

  @Override
  public WriteOutcome update(OperationContext operation, UpdateRequest request) {
    return operation.retryableWrite() == null
        ? updates.update(operation, request)
        : retryableWrites.run(operation, () -> updates.update(operation, request));
  }

  @Override
  public WriteOutcome delete(OperationContext operation, DeleteRequest request) {
    return operation.retryableWrite() == null
        ? deletes.delete(operation, request)
        : retryableWrites.run(operation, () -> deletes.delete(operation, request));
  }

  @Override
  public FindAndModifyOutcome findAndModify(
      OperationContext operation, FindAndModifyRequest request) {
    return operation.retryableWrite() == null
        ? findAndModify.run(operation, request)
        : retryableWrites.run(operation, () -> findAndModify.run(operation, request));
  }

  @Override
  public long count(OperationContext operation, CountRequest request) {
    Collection collection = catalog.find(request.namespace());
    boolean everything = request.query().isEmpty() && request.hint() == null;
    if (collection != null && everything) {
      operation.planSummary(() -> "RECORD_STORE_FAST_COUNT");
      return Counter.within(collection.documents(), request.skip(), request.limit());
    }
    try (RunningPlan matching =
        start(
            ofCollection -> Query.count(request, ofCollection, operation),
            request.namespace(),
            operation)) {
      return matching == null ? 0 : Counter.count(matching, request);
    }
  }

  @Override
  public List<RawValue> distinct(OperationContext operation, DistinctRequest request) {
    try (RunningPlan matching =
        start(
            ofCollection -> Query.distinct(request, ofCollection, operation),
            request.namespace(),
            operation)) {
      if (matching == null) {
        return List.of();
      }
      Collation collation = request.collation().or(matching.collection().collation());
      return DistinctValues.of(request.key(), matching, collation);
    }
  }

  @Override
  public PlanReport explain(OperationContext operation, ExplainRequest request) {
    return explainer.explain(request, operation);
  }

  @Override
  public void awaitDurable(OperationContext operation) {
    if (operation.lastCommit() != null) {
      operation.lastCommit().awaitDurable();
    } else {
      log.sync();
    }
  }
}
