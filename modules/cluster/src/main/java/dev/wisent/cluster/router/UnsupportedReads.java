package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.router.read.ReadRouting;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import java.util.List;

/** Refuses reads of several shards, until routers can merge them. */
final class UnsupportedReads implements ReadRouting {
  @Override
  public ResultCursor find(OperationContext operation, FindRequest request) {
    throw refused();
  }

  @Override
  public ResultCursor aggregate(OperationContext operation, AggregateRequest request) {
    throw refused();
  }

  @Override
  public long count(OperationContext operation, CountRequest request) {
    throw refused();
  }

  @Override
  public List<RawValue> distinct(OperationContext operation, DistinctRequest request) {
    throw refused();
  }

  @Override
  public RawDocument explain(OperationContext operation, ExplainRequest request) {
    throw refused();
  }

  private static CommandException refused() {
    return new CommandException(
        ErrorCode.NOT_IMPLEMENTED, "Reads of several shards are not supported yet");
  }
}
