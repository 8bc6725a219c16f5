package dev.wisent.server.analysis;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import java.util.List;

/** Sends commands to the database {@code config} of a replica set or cluster. */
public interface ConfigCalls {
  /** Returns the reply of a command that has succeeded; throws its error. */
  RawDocument call(OperationContext operation, RawDocument command);

  /** The analyzers that are on, of {@code config.queryAnalyzers}. */
  List<RawDocument> analyzers(OperationContext operation);

  /** Whether a call has a chance: a set that has no primary yet is not asked. */
  boolean isReachable();

  /** The part of the rate of samples that is this node's, from 0 to 1. */
  double share(OperationContext operation);
}
