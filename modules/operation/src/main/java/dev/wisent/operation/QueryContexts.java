package dev.wisent.operation;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.FixedClock;
import dev.wisent.query.context.QueryContext;

/** What queries may know of the world, from the operation they run under. */
public final class QueryContexts {
  private QueryContexts() {}

  /** With the simple collation. */
  public static QueryContext of(OperationContext operation) {
    return of(operation, null);
  }

  /**
   * @param collation null for the simple one
   */
  public static QueryContext of(OperationContext operation, Collation collation) {
    return new QueryContext(
            (FixedClock) operation::nowMillis,
            RandomSource.system()::nextDouble,
            operation.let(),
            operation.clusterTime(),
            collation,
            operation)
        .withMeter(operation.query().meter());
  }

  /** For rules that belong to a collection, with the simple collation. */
  public static QueryContext ofCollection() {
    return ofCollection(null);
  }

  /**
   * For rules that belong to a collection, not to an operation.
   *
   * @param collation null for the simple one
   */
  public static QueryContext ofCollection(Collation collation) {
    return QueryContext.of(Clock.system()::wallMillis, () -> 0).withCollation(collation);
  }
}
