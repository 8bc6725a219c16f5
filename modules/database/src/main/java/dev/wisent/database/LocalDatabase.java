package dev.wisent.database;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.CatalogChanges;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.InFlightVersions;
import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.collection.LeadershipState;
import dev.wisent.database.collection.OplogTrimmer;
import dev.wisent.database.collection.OrphanedIdents;
import dev.wisent.database.collection.RecordCache;
import dev.wisent.database.exec.PlanCacheCounters;
import dev.wisent.database.exec.PlanExecutor;
import dev.wisent.database.explain.ExplainReply;
import dev.wisent.database.explain.Explainer;
import dev.wisent.database.explain.PlanReport;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.oplog.OplogWriter;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.read.CollectionReads;
import dev.wisent.database.read.DistinctValues;
import dev.wisent.database.read.PipelineRun;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.RetryableWrites;
import dev.wisent.database.snapshot.PreparedTransactions;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.database.snapshot.SnapshotHistory;
import dev.wisent.database.transaction.NodeTransactions;
import dev.wisent.database.view.LocalNamespaces;
import dev.wisent.database.view.ViewChanges;
import dev.wisent.database.view.ViewDefinition;
import dev.wisent.database.view.ViewReads;
import dev.wisent.database.view.Views;
import dev.wisent.database.view.WholeViews;
import dev.wisent.database.write.DeleteExecutor;
import dev.wisent.database.write.EntryApplier;
import dev.wisent.database.write.ExpiryExecutor;
import dev.wisent.database.write.FindAndModifyExecutor;
import dev.wisent.database.write.InsertExecutor;
import dev.wisent.database.write.UpdateExecutor;
import dev.wisent.database.write.WriteAccess;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.PipelineSources;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.SortSettings;
import dev.wisent.operation.UpdateContexts;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.pipeline.sort.MemoryBudget;
import dev.wisent.query.collation.Collation;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageEngine;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** The collections of this node, behind {@code Operations}. Thread-safe. */
public final class LocalDatabase implements LocalNamespaces {
  /** The version of collections that do not exist. */
  private static final Object NO_COLLECTION = new Object();

  private static final long UNREPLICATED_RECORD_CACHE_BYTES = 1L << 20;

  private final StorageEngine storage;
  private final CommitLog log;
  private final Catalog catalog;
  private final CollectionReads reads;
  private final Views views;
  private final ViewReads viewReads;
  private final ViewChanges viewChanges;
  private final CatalogChanges changes;
  private final WriteGate gate;
  private final LeadershipState leadership;
  private final SortSettings sorting;
  private final PlanExecutor plans;
  private final Explainer explainer;
  private final LatchTable latches = new LatchTable();
  private final InsertExecutor inserts;
  private final UpdateExecutor updates;
  private final DeleteExecutor deletes;
  private final FindAndModifyExecutor findAndModify;
  private final ExpiryExecutor expiry;
  private final NodeTransactions transactions;
  private final RetryableWrites retryableWrites;
  private final EntryApplier entries;
  private final OplogWriter oplogNotes;
  private final OplogTrimmer oplogTrimmer;
  private final SnapshotHistory snapshots;
  private final Ownership ownership;

  /** Where the collections of a name are, if this is but a part of a node. */
  private volatile Function<Namespace, LocalDatabase> parts = any -> this;

  /** Null where the server is not reported on. */
  private volatile PipelineSources sources;

  private LocalDatabase(
      StorageEngine storage,
      CommitLog log,
      Clock clock,
      RandomSource random,
      SortSettings sorting,
      long recordCacheBytes) {
    this.storage = storage;
    this.log = log;
    this.sorting = sorting;
    this.plans = new PlanExecutor(storage, sorting, this::ownership);
    this.gate = log.isReplicated() ? WriteGate.closed(log::refusal) : WriteGate.alwaysOpen();
    this.catalog =
        Catalog.load(storage, clock, () -> new RecordCache(recordCacheBytes), log.keepsOplog());
    this.reads = new CollectionReads(catalog, storage, plans, this::stages, () -> sources);
    this.ownership = new Ownership(catalog, storage, clock, reads::find);
    this.views =
        new Views(catalog, request -> reads.find(OperationContext.internal(clock), request));
    this.viewReads = new ViewReads(new WholeViews(views, ownership::isRouted, ownership::isPart));
    this.changes = new CatalogChanges(storage, log, catalog, views, gate, random::nextUuid);
    var prepared = new PreparedTransactions();
    this.leadership = new LeadershipState(storage, log, catalog, changes, gate, prepared, clock);
    var contexts = UpdateContexts.of(clock, random);
    this.explainer = new Explainer(catalog, plans, contexts, this::stages);
    var versions = new InFlightVersions();
    var access =
        new WriteAccess(
            storage, log, catalog, views, changes, latches, versions, contexts, gate, plans,
            ownership);
    ownership.orphanDeleter(access.orphanDeleter());
    this.inserts = new InsertExecutor(access);
    this.updates = new UpdateExecutor(access, inserts);
    this.deletes = new DeleteExecutor(access);
    this.viewChanges = new ViewChanges(catalog, changes, views, this);
    this.findAndModify = new FindAndModifyExecutor(access, updates, deletes);
    this.expiry = new ExpiryExecutor(access);
    this.snapshots = new SnapshotHistory(storage, prepared, clock);
    this.transactions = new NodeTransactions(access, snapshots, prepared, random, clock);
    this.retryableWrites = new RetryableWrites(storage, log, gate, transactions);
    transactions.ends().follow(leadership);
    leadership.onEnd(transactions::leadershipEnds);
    this.entries = new EntryApplier(access, inserts, updates, deletes);
    this.oplogNotes = new OplogWriter(log, gate);
    this.oplogTrimmer =
        catalog.oplog() == null ? null : new OplogTrimmer(storage, log, gate, catalog, prepared);
  }

  /** Opens what is stored. On a replicated log no writes are accepted before a term begins. */
  public static LocalDatabase open(
      StorageEngine storage, CommitLog log, Clock clock, RandomSource random) {
    var sorting = new SortSettings(storage.temporaryFiles(), MemoryBudget.ofHeap());
    long cacheBytes = RecordCache.bytesOfNode();
    return open(new LocalDatabase(storage, log, clock, random, sorting, cacheBytes), clock);
  }

  /** Opens what a member of a replica set has unreplicated, which is little. */
  public static LocalDatabase openUnreplicated(
      StorageEngine storage, CommitLog log, Clock clock, RandomSource random, LocalDatabase node) {
    long cacheBytes = UNREPLICATED_RECORD_CACHE_BYTES;
    return open(new LocalDatabase(storage, log, clock, random, node.sorting, cacheBytes), clock);
  }

  private static LocalDatabase open(LocalDatabase database, Clock clock) {
    CommitLog log = database.log;
    if (!log.isReplicated()) {
      new OrphanedIdents(database.storage, database.catalog)
          .remove(database.changes, log, OperationContext.internal(clock));
    }
    return database;
  }

  public StorageEngine storage() {
    return storage;
  }

  void flush() {
    log.sync();
    storage.flush();
  }

  /** Says where collections are that are not here. */
  void partOf(NodeDatabase node) {
    parts = node::of;
  }

  /** Says who makes the documents of pipelines that report on the server. */
  void sources(PipelineSources of) {
    sources = of;
  }

  @Override
  public Catalog catalog() {
    return catalog;
  }

  @Override
  public CatalogChanges changes() {
    return changes;
  }

  @Override
  public Views views() {
    return views;
  }

  public ViewChanges viewChanges() {
    return viewChanges;
  }

  /** Who is to be told on a replicated log when this node begins or ceases to lead it. */
  public LeadershipState leadership() {
    return leadership;
  }

  /** Keeps writes out while a backup is made. */
  @Override
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

  /** What this node owns as a shard. */
  @Override
  public Ownership ownership() {
    return ownership;
  }

  /** Writes oplog entries that no change of data goes with. */
  public OplogWriter oplogNotes() {
    return oplogNotes;
  }

  public NodeTransactions transactions() {
    return transactions;
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

  /** The states that reads of the past go back to. */
  public SnapshotHistory snapshots() {
    return snapshots;
  }

  LatchTable latches() {
    return latches;
  }

  @Override
  public Collation collation(OperationContext operation, Namespace namespace) {
    Collection collection = catalog.find(namespace, operation);
    if (collection != null) {
      return collection.collation();
    }
    ViewDefinition view = views.find(namespace);
    return view == null ? null : view.collation();
  }

  @Override
  public ResultCursor find(OperationContext operation, FindRequest request) {
    AggregateRequest ofView = viewReads.resolve(request, operation);
    return ofView == null ? reads.find(operation, request) : readView(operation, ofView);
  }

  @Override
  public ResultCursor aggregate(OperationContext operation, AggregateRequest request) {
    AggregateRequest ofView = viewReads.resolve(request, operation);
    return ofView == null ? reads.aggregate(operation, request) : readView(operation, ofView);
  }

  /** A view may be of a collection that is not here. */
  private ResultCursor readView(OperationContext operation, AggregateRequest ofView) {
    LocalDatabase part = parts.apply(ofView.namespace());
    if (part != this && operation.readPoint() != null) {
      throw ReadState.notReplicated(ofView.namespace());
    }
    return part.reads.aggregate(operation, ofView);
  }

  /** What the stages of a pipeline use that begins with other documents. */
  public PipelineRun stages(OperationContext operation, Namespace namespace) {
    return new PipelineRun(parts, sorting, namespace, operation);
  }

  private <T> T write(OperationContext operation, Supplier<T> write) {
    return OperationState.isRetryable(operation)
        ? retryableWrites.run(operation, write)
        : write.get();
  }

  @Override
  public WriteOutcome insert(OperationContext operation, InsertRequest request) {
    return write(operation, () -> inserts.insert(operation, request));
  }

  @Override
  public WriteOutcome update(OperationContext operation, UpdateRequest request) {
    return write(operation, () -> updates.update(operation, request));
  }

  @Override
  public WriteOutcome delete(OperationContext operation, DeleteRequest request) {
    return write(operation, () -> deletes.delete(operation, request));
  }

  @Override
  public FindAndModifyOutcome findAndModify(
      OperationContext operation, FindAndModifyRequest request) {
    return write(operation, () -> findAndModify.run(operation, request));
  }

  @Override
  public long count(OperationContext operation, CountRequest request) {
    AggregateRequest ofView = viewReads.resolve(request, operation);
    if (ofView != null) {
      try (ResultCursor counted = readView(operation, ofView)) {
        return counted.peek() == null ? 0 : counted.peek().get("count").toLong();
      }
    }
    return reads.count(operation, request);
  }

  @Override
  public List<RawValue> distinct(OperationContext operation, DistinctRequest request) {
    AggregateRequest ofView = viewReads.documents(request, operation);
    if (ofView != null) {
      Collation collation = ofView.collation().or(null);
      try (ResultCursor documents = readView(operation, ofView)) {
        return DistinctValues.of(request.key(), documents, collation);
      }
    }
    return reads.distinct(operation, request);
  }

  @Override
  public RawDocument explain(OperationContext operation, ExplainRequest request) {
    AggregateRequest ofView = viewReads.resolve(request.request(), operation);
    ExplainRequest resolved = ofView == null ? request : request.of(ofView);
    if (ExplainReply.isOfSource(resolved)) {
      return ExplainReply.ofSource(resolved);
    }
    LocalDatabase part = parts.apply(resolved.request().namespace());
    return ExplainReply.of(resolved, part.planReport(operation, resolved));
  }

  /** How an operation on a collection is answered. */
  public PlanReport planReport(OperationContext operation, ExplainRequest request) {
    return explainer.explain(request, operation);
  }

  @Override
  public Object version(Namespace namespace) {
    Collection collection = catalog.find(namespace);
    return collection == null ? NO_COLLECTION : collection.version();
  }

  @Override
  public void awaitDurable(OperationContext operation) {
    CommitFuture last =
        operation.hasWritten()
            ? OperationState.lastCommit(operation)
            : log.submit(new MutationBuilder().build());
    operation.await(last::awaitDurable);
  }
}
