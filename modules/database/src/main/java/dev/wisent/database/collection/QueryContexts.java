package dev.wisent.database.collection;

import dev.wisent.base.Clock;
import dev.wisent.database.OperationContext;
import dev.wisent.query.match.QueryContext;
import java.util.concurrent.ThreadLocalRandom;

/** What queries may know of the world, from the operation they run under. */
public final class QueryContexts {
  private QueryContexts() {}

  public static QueryContext of(OperationContext operation) {
    return new QueryContext(
        operation::nowMillis,
        () -> ThreadLocalRandom.current().nextDouble(),
        operation.let(),
        null,
        null,
        operation);
  }

  /** For rules that belong to a collection, not to an operation. */
  public static QueryContext ofCollection() {
    return QueryContext.of(Clock.system()::wallMillis, () -> 0);
  }
}
