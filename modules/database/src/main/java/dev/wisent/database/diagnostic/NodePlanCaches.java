package dev.wisent.database.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.explain.PlanCacheDocument;
import dev.wisent.database.plan.IndexFilters;
import dev.wisent.database.plan.QueryShape;
import dev.wisent.database.planner.Query;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.diagnostic.IndexFilter;
import dev.wisent.operation.diagnostic.PlanCaches;
import dev.wisent.operation.diagnostic.ShapeRequest;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.projection.Projection;
import java.util.List;

/** The plan caches and index filters of a node's collections. Thread-safe. */
public final class NodePlanCaches implements PlanCaches {
  private final NodeDatabase database;

  public NodePlanCaches(NodeDatabase database) {
    this.database = database;
  }

  /** Null where there is none; views have no plans of their own. */
  private Collection collection(Namespace namespace) {
    database.views(namespace).refuse(namespace);
    return database.collection(namespace);
  }

  @Override
  public void clear(OperationContext operation, ShapeRequest request) {
    Collection collection = collection(request.namespace());
    if (collection == null) {
      return;
    }
    if (request.query() == null) {
      collection.planCache().clear();
    } else {
      collection.planCache().clear(shape(operation, request, collection));
    }
  }

  @Override
  public List<IndexFilter> filters(Namespace namespace) {
    Collection collection = collection(namespace);
    return collection == null
        ? null
        : collection.indexFilters().all().stream().map(NodePlanCaches::value).toList();
  }

  private static IndexFilter value(IndexFilters.Filter filter) {
    return new IndexFilter(
        filter.query(),
        filter.sort(),
        filter.projection(),
        filter.collation() == null ? null : filter.collation().document(),
        filter.indexes());
  }

  @Override
  public void setFilter(OperationContext operation, ShapeRequest request, List<RawValue> indexes) {
    Collection collection = collection(request.namespace());
    if (collection == null) {
      throw new CommandException(ErrorCode.BAD_VALUE, "no such collection");
    }
    QueryShape shape = shape(operation, request, collection);
    collection
        .indexFilters()
        .set(
            new IndexFilters.Filter(
                shape,
                request.query().detached(),
                request.sort(),
                request.projection(),
                request.collation().or(collection.collation()),
                indexes));
    collection.planCache().clear(shape);
  }

  @Override
  public void clearFilters(OperationContext operation, ShapeRequest request) {
    Collection collection = collection(request.namespace());
    if (collection == null) {
      return;
    }
    if (request.query() != null) {
      QueryShape shape = shape(operation, request, collection);
      collection.indexFilters().clear(shape);
      collection.planCache().clear(shape);
      return;
    }
    List<IndexFilters.Filter> filters = collection.indexFilters().all();
    collection.indexFilters().clear();
    filters.forEach(filter -> collection.planCache().clear(filter.shape()));
  }

  @Override
  public List<RawDocument> entries(Namespace namespace) {
    Collection collection = database.collection(namespace);
    return collection == null
        ? null
        : collection.planCache().entries().stream().map(PlanCacheDocument::of).toList();
  }

  /** The shape, with its query checked. */
  private static QueryShape shape(
      OperationContext operation, ShapeRequest request, Collection collection) {
    Collation used = request.collation().or(collection.collation());
    QueryContext context = QueryContexts.of(operation, used);
    Query.checkSort(request.sort());
    if (!request.projection().isEmpty()) {
      Projection.parse(request.projection(), request.query(), context);
    }
    return QueryShape.of(
        MatchParser.parse(request.query(), context), request.sort(), request.projection(), used);
  }
}
