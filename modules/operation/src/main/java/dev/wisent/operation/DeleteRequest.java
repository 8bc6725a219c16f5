package dev.wisent.operation;

import dev.wisent.query.collation.CollationChoice;
import java.util.List;

/** Deletes to run in order. When ordered, the first failure ends the batch. */
public record DeleteRequest(Namespace namespace, List<DeleteStatement> statements, boolean ordered)
    implements Explainable {
  @Override
  public CollationChoice collation() {
    return statements.getFirst().collation();
  }
}
