package dev.wisent.operation.diagnostic;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.util.List;

/**
 * The plans that collections remember, and the index filters that limit them. What changes or lists
 * them fails for a view, which has no plans of its own.
 */
public interface PlanCaches {
  /** Forgets the plans of a shape, or all; does nothing if there is no such collection. */
  void clear(OperationContext operation, ShapeRequest request);

  /** The index filters of a collection; null if there is no such collection. */
  List<IndexFilter> filters(Namespace namespace);

  /**
   * Sets the filter of a shape, in place of the present one.
   *
   * @param indexes names, or key patterns
   */
  void setFilter(OperationContext operation, ShapeRequest request, List<RawValue> indexes);

  /** Removes the filter of a shape, or all; does nothing if there is no such collection. */
  void clearFilters(OperationContext operation, ShapeRequest request);

  /**
   * The remembered plans as {@code $planCacheStats} gives them, without the host; null if there is
   * no such collection.
   */
  List<RawDocument> entries(Namespace namespace);
}
