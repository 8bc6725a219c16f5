package dev.wisent.cluster.router.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.CollectionRouting;

/** The statements of one insert, update or delete, by their places in the client's batch. */
interface StatementBatch {
  Namespace namespace();

  /** The command that executes them. */
  String command();

  /** The argument of that command which has the statements. */
  String field();

  int size();

  boolean ordered();

  boolean bypassValidation();

  /** Whether expressions of the statements may read the variables of {@code let}. */
  boolean hasVariables();

  /** A statement as a shard gets it. */
  RawDocument statement(int index);

  /** Where a statement of a sharded collection goes. */
  StatementTarget target(int index, CollectionRouting routing, OperationContext operation);

  /** A statement that changes one document. */
  SingleWrite single(int index, OperationContext operation);
}
