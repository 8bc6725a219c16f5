package dev.wisent.operation;

import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.FixedClock;
import dev.wisent.query.context.QueryContext;
import java.util.function.LongSupplier;

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
            operation.random()::nextDouble,
            operation.let(),
            operation.clusterTime(),
            collation,
            operation)
        .withMeter(operation.query().meter());
  }

  /**
   * For rules that belong to a collection, not to an operation.
   *
   * @param nowMillis the wall clock
   * @param collation null for the simple one
   */
  public static QueryContext ofRules(LongSupplier nowMillis, Collation collation) {
    return QueryContext.of(nowMillis, () -> 0).withCollation(collation);
  }

  /**
   * For rules of a collection that do not depend on time, or are only checked.
   *
   * @param collation null for the simple one
   */
  public static QueryContext ofRules(Collation collation) {
    return ofRules(() -> 0, collation);
  }
}
