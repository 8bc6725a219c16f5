package dev.wisent.database.explain;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.exec.PlanChooser;
import dev.wisent.database.exec.PlanExecutor;
import dev.wisent.database.exec.PlannedQuery;
import dev.wisent.database.exec.RunningPlan;
import dev.wisent.database.plan.PlanCandidate;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.database.planner.PlanLimits;
import dev.wisent.database.planner.Query;
import dev.wisent.database.planner.TextQueries;
import dev.wisent.database.read.Counter;
import dev.wisent.database.read.PipelineRun;
import dev.wisent.database.read.PreparedPipeline;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.update.UpdateContext;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Plans operations for explain and, where it wants to know, runs the plans to their end without the
 * effects of the operation. The plan cache is neither used nor changed.
 */
public final class Explainer {
  private final Catalog catalog;
  private final PlanExecutor plans;
  private final UpdateContext updates;
  private final BiFunction<OperationContext, Namespace, PipelineRun> stages;

  /**
   * @param stages makes what the stages of a pipeline use
   */
  public Explainer(
      Catalog catalog,
      PlanExecutor plans,
      UpdateContext updates,
      BiFunction<OperationContext, Namespace, PipelineRun> stages) {
    this.catalog = catalog;
    this.plans = plans;
    this.updates = updates;
    this.stages = stages;
  }

  /**
   * What is planned.
   *
   * @param byId the plan of a query by {@code _id} alone; null for all others
   * @param query null for a query by {@code _id} alone
   */
  private record Target(Namespace namespace, PlanNode byId, Query query) {}

  public PlanReport explain(ExplainRequest request, OperationContext operation) {
    boolean runs = request.verbosity().runs();
    return switch (request.request()) {
      case FindRequest find -> {
        Target target = target(find, collation(find.namespace()), operation);
        yield report(target, TrialRun.all(), runs, operation);
      }
      case AggregateRequest aggregate -> {
        PreparedPipeline prepared = PreparedPipeline.of(aggregate, catalog, operation);
        Collation ofCollection = collation(aggregate.namespace());
        Supplier<PipelineRun> stageRuns =
            () -> stages.apply(operation, aggregate.namespace()).withoutWrites();
        PlanReport report;
        if (prepared.countsOnly()) {
          CountRequest count = prepared.pushed().toCount(aggregate);
          Query query = Query.count(count, ofCollection, operation);
          var target = new Target(aggregate.namespace(), null, query);
          TrialRun run = PipelineTrial.counting(prepared, count, stageRuns, operation);
          report = report(target, run, runs, operation);
        } else {
          FindRequest find = prepared.pushed().toFind(aggregate);
          TrialRun run = PipelineTrial.through(prepared, stageRuns, operation);
          report = report(target(find, ofCollection, operation), run, runs, operation);
        }
        yield report.of(prepared);
      }
      case CountRequest count -> {
        Query query = Query.count(count, collation(count.namespace()), operation);
        var target = new Target(count.namespace(), null, query);
        yield report(target, TrialRun.upTo(Counter.enough(count)), runs, operation);
      }
      case DistinctRequest distinct -> {
        Query query = Query.distinct(distinct, collation(distinct.namespace()), operation);
        var target = new Target(distinct.namespace(), null, query);
        yield report(target, TrialRun.all(), runs, operation);
      }
      case UpdateRequest update -> {
        UpdateStatement statement = update.statements().getFirst();
        Target target =
            target(
                update.namespace(),
                statement.query(),
                statement.sort(),
                statement.hint(),
                statement.collation(),
                operation);
        TrialRun run = updating(update.namespace(), statement, operation);
        yield report(target, run, runs, operation);
      }
      case DeleteRequest delete -> {
        DeleteStatement statement = delete.statements().getFirst();
        Target target =
            target(
                delete.namespace(),
                statement.query(),
                RawDocument.EMPTY,
                statement.hint(),
                statement.collation(),
                operation);
        yield report(target, TrialRun.deleting(statement.multi()), runs, operation);
      }
      case FindAndModifyRequest change -> {
        Target target =
            target(
                change.namespace(),
                change.query(),
                change.sort(),
                change.hint(),
                change.collation(),
                operation);
        TrialRun run =
            change.isRemoval()
                ? TrialRun.deleting(false)
                : updating(change.namespace(), change.toUpdate(), operation);
        yield report(target, run, runs, operation);
      }
    };
  }

  /** Of the collection; null for the simple one, and if there is no collection. */
  private Collation collation(Namespace namespace) {
    Collection collection = catalog.find(namespace);
    return collection == null ? null : collection.collation();
  }

  private boolean hasIdIndex(Namespace namespace) {
    Collection collection = catalog.find(namespace);
    return collection == null || collection.hasIdIndex();
  }

  private TrialRun updating(
      Namespace namespace, UpdateStatement statement, OperationContext operation) {
    Collation collation = statement.collation().or(collation(namespace));
    return TrialRun.updating(statement, updates.withCollation(collation), operation);
  }

  private static Target target(
      FindRequest find, Collation ofCollection, OperationContext operation) {
    RawValue id = Query.exactId(find, ofCollection);
    return id == null
        ? new Target(find.namespace(), null, Query.find(find, ofCollection, operation))
        : new Target(find.namespace(), Query.planById(find, id, ofCollection, operation), null);
  }

  private Target target(
      Namespace namespace,
      RawDocument filter,
      RawDocument sort,
      RawValue hint,
      CollationChoice choice,
      OperationContext operation) {
    Collation ofCollection = collation(namespace);
    RawValue id = Query.exactId(filter, hint, choice, ofCollection);
    Query.checkSort(sort);
    if (id != null && hasIdIndex(namespace)) {
      return new Target(namespace, new PlanNode.IdLookup(id), null);
    }
    Query query = Query.write(filter, sort, hint, choice.or(ofCollection), operation);
    return new Target(namespace, null, query);
  }

  private PlanReport report(Target target, TrialRun run, boolean runs, OperationContext operation) {
    long start = operation.clock().monotonicNanos();
    while (true) {
      Collection collection = catalog.find(target.namespace());
      if (collection == null) {
        if (target.query() != null) {
          TextQueries.checkMissing(target.namespace(), target.query());
        }
        return reportNothing(target, run, runs);
      }
      if (target.byId() != null) {
        try (RunningPlan plan = plans.startById(collection, target.byId(), runs, operation)) {
          long planning = operation.clock().monotonicNanos() - start;
          return report(plan, null, planning, runs ? execute(plan, run, start, operation) : null);
        }
      }
      PlannedQuery planned = plan(collection, target, runs, operation);
      if (planned != null) {
        try (RunningPlan plan = planned.startForExplain()) {
          long planning = operation.clock().monotonicNanos() - start;
          return report(
              plan,
              planned.chooser(),
              planning,
              runs ? execute(plan, run, start, operation) : null);
        }
      }
    }
  }

  /** Null where the collection was dropped or renamed meanwhile. */
  private PlannedQuery plan(
      Collection collection, Target target, boolean timed, OperationContext operation) {
    operation.acquire(collection.definitionLock());
    try {
      return collection.isCalled(target.namespace())
          ? plans.plan(collection, target.query(), timed, operation)
          : null;
    } finally {
      collection.definitionLock().unlock();
    }
  }

  private static PlanReport.Execution execute(
      RunningPlan plan, TrialRun run, long startNanos, OperationContext operation) {
    CommandException failure = null;
    try {
      run.run(plan);
    } catch (CommandException e) {
      if (e.code() != ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED) {
        throw e;
      }
      failure = e;
    }
    return run.toExecution(operation.clock().monotonicNanos() - startNanos, failure);
  }

  private static PlanReport report(
      RunningPlan plan, PlanChooser chooser, long planningNanos, PlanReport.Execution execution) {
    List<PlanCandidate> candidates =
        plan.candidates().isEmpty()
            ? List.of(new PlanCandidate(plan.stats(), null, 0, false))
            : plan.candidates();
    if (chooser != null) {
      candidates = candidates.stream().map(candidate -> asCached(candidate, chooser)).toList();
    }
    return new PlanReport(
        plan.collection(),
        plan.filter(),
        chooser == null ? null : chooser.shapeHash(),
        chooser == null ? null : chooser.cacheKeyHash(),
        chooser != null && chooser.indexFilterSet(),
        planningNanos,
        chooser == null ? new PlanLimits() : chooser.limits(),
        candidates.getFirst(),
        candidates.subList(1, candidates.size()),
        execution,
        null);
  }

  private static PlanCandidate asCached(PlanCandidate candidate, PlanChooser chooser) {
    boolean cached = chooser.isCached(candidate.stats().node());
    return new PlanCandidate(candidate.stats(), candidate.trial(), candidate.score(), cached);
  }

  private static PlanReport reportNothing(Target target, TrialRun run, boolean runs) {
    var nothing = new StageStats(new PlanNode.Eof(), List.of());
    nothing.works = runs ? 1 : 0;
    nothing.ended = runs;
    return new PlanReport(
        null,
        target.query() == null ? null : target.query().filter(),
        target.query() == null ? null : target.query().shape().hash(),
        null,
        false,
        0,
        new PlanLimits(),
        new PlanCandidate(nothing, null, 0, false),
        List.of(),
        runs ? run.toExecution(0, null) : null,
        null);
  }
}
