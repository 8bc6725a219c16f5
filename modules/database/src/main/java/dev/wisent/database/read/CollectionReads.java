package dev.wisent.database.read;

import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.cursor.FindCursor;
import dev.wisent.database.exec.PlanExecutor;
import dev.wisent.database.exec.PlanSummary;
import dev.wisent.database.exec.PlannedQuery;
import dev.wisent.database.exec.RunningPlan;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.planner.Query;
import dev.wisent.database.planner.TextQueries;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.EmptyCursor;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.FindRequest.Tailing;
import dev.wisent.operation.ListCursor;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.PipelineSources;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.changestream.ChangeStreamStage;
import dev.wisent.pipeline.optimize.Optimizer;
import dev.wisent.query.collation.Collation;
import dev.wisent.storage.ReadView;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** What is read of collections, not of views. Thread-safe. */
public final class CollectionReads {
  private final Catalog catalog;
  private final PlanExecutor plans;
  private final BiFunction<OperationContext, Namespace, PipelineRun> stages;
  private final Supplier<PipelineSources> sources;
  private final ChangeStreamReads changeStreams;

  /**
   * @param newest the newest state of the store
   * @param stages makes what the stages of a pipeline use
   * @param sources make the documents of pipelines that read no collection
   */
  public CollectionReads(
      Catalog catalog,
      ReadView newest,
      PlanExecutor plans,
      BiFunction<OperationContext, Namespace, PipelineRun> stages,
      Supplier<PipelineSources> sources) {
    this.catalog = catalog;
    this.plans = plans;
    this.stages = stages;
    this.sources = sources;
    this.changeStreams = new ChangeStreamReads(catalog, newest, this);
  }

  /** Of the collection; null for the simple one, and if there is no collection. */
  private Collation collation(Namespace namespace, OperationContext operation) {
    Collection collection = catalog.find(namespace, operation);
    return collection == null ? null : collection.collation();
  }

  public ResultCursor find(OperationContext operation, FindRequest request) {
    Collation ofCollection =
        request.collation().isInherited() ? null : collation(request.namespace(), operation);
    RawValue id = Query.exactId(request, ofCollection);
    return id == null ? findPlanned(operation, request) : findById(operation, request, id);
  }

  /** A query by {@code _id} alone is not planned at all. */
  private ResultCursor findById(OperationContext operation, FindRequest request, RawValue id) {
    Collection collection = catalog.find(request.namespace(), operation);
    Collation ofCollection = collection == null ? null : collection.collation();
    PlanNode plan = Query.planById(request, id, ofCollection, operation);
    if (collection == null) {
      checkMissing(request.namespace(), operation);
      return new EmptyCursor();
    }
    return new FindCursor(
        plans, plans.startById(collection, plan, operation), request, 0, operation);
  }

  /** A collection that is not here may have moved to another shard. */
  private void checkMissing(Namespace namespace, OperationContext operation) {
    plans.ownership().checkMissing(namespace, operation);
  }

  private ResultCursor findPlanned(OperationContext operation, FindRequest request) {
    while (true) {
      Collection collection = catalog.find(request.namespace(), operation);
      Collation ofCollection = collection == null ? null : collection.collation();
      Query query = Query.find(request, ofCollection, operation);
      if (collection == null) {
        checkMissing(request.namespace(), operation);
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
        return new FindCursor(plans, plan, request, tailVersion, operation);
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
      Collection collection = catalog.find(namespace, operation);
      Query query = parser.apply(collection == null ? null : collection.collation());
      if (collection == null) {
        checkMissing(namespace, operation);
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
    operation.acquire(collection.definitionLock());
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

  public ResultCursor aggregate(OperationContext operation, AggregateRequest request) {
    if (ChangeStreamStage.of(request.pipeline()) != null) {
      return changeStreams.open(operation, request);
    }
    if (request.pipeline().source() != null) {
      return over(
          source(operation, request),
          Optimizer.optimize(request.pipeline()),
          0,
          operation,
          request);
    }
    if (request.pipeline().isSource()) {
      Pipeline pipeline = Optimizer.optimize(request.pipeline());
      return over(new EmptyCursor(), pipeline, 0, operation, request);
    }
    PreparedPipeline prepared = PreparedPipeline.of(request, catalog, operation);
    PushedStages pushed = prepared.pushed();
    if (prepared.countsOnly()) {
      var counted = new ListCursor(prepared.counted(count(operation, pushed.toCount(request))));
      return over(counted, prepared.pipeline(), pushed.count() + 1, operation, request);
    }
    ResultCursor input = find(operation, pushed.toFind(request));
    return prepared.isFind()
        ? input
        : over(input, prepared.pipeline(), pushed.count(), operation, request);
  }

  private ResultCursor source(OperationContext operation, AggregateRequest request) {
    PipelineSources from = sources.get();
    FindRequest stored = from.stored(request.pipeline(), request.namespace());
    return stored == null
        ? new ListCursor(from.documents(request.pipeline(), request.namespace(), operation))
        : find(operation, stored);
  }

  /** The stages of a pipeline from one on, over the results of another cursor. */
  ResultCursor over(
      ResultCursor input,
      Pipeline pipeline,
      int firstStage,
      OperationContext operation,
      AggregateRequest request) {
    try {
      return new PipelineCursor(
          input, pipeline, firstStage, stages.apply(operation, request.namespace()));
    } catch (RuntimeException | Error e) {
      input.close();
      throw e;
    }
  }

  public long count(OperationContext operation, CountRequest request) {
    Collection collection = catalog.find(request.namespace());
    // The counters are those of the newest state.
    boolean everything =
        request.query().isEmpty() && request.hint() == null && operation.readPoint() == null;
    if (collection != null && everything) {
      long documents = collection.documents();
      // Asked afterwards: the number is one of documents that were all owned then.
      if (plans.ownership().isWhole(request.namespace(), operation)) {
        operation.planSummary(() -> "RECORD_STORE_FAST_COUNT");
        return Counter.within(documents, request.skip(), request.limit());
      }
      operation.planSummary(() -> "RECORD_STORE_FAST_COUNT");
      return Counter.within(
          plans.countOwned(collection, operation), request.skip(), request.limit());
    }
    try (RunningPlan matching =
        start(
            ofCollection -> Query.count(request, ofCollection, operation),
            request.namespace(),
            operation)) {
      return matching == null ? 0 : Counter.count(matching, request);
    }
  }

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
}
