package dev.wisent.operation;

import dev.wisent.query.collation.CollationChoice;
import java.util.List;

/** Updates to run in order. When ordered, the first failure ends the batch. */
public record UpdateRequest(
    Namespace namespace,
    List<UpdateStatement> statements,
    boolean ordered,
    boolean bypassValidation)
    implements Explainable {
  @Override
  public CollationChoice collation() {
    return statements.getFirst().collation();
  }
}
