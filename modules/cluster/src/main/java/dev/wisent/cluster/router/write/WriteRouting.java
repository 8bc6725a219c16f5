package dev.wisent.cluster.router.write;

import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.WriteOutcome;

/**
 * Writes to sharded collections on several shards. What is for one shard does not get here: the
 * router passes its bytes on. The client's own arguments are in {@code
 * RoutedOperation.of(operation).request()}.
 */
public interface WriteRouting {
  WriteOutcome insert(OperationContext operation, InsertRequest request);

  WriteOutcome update(OperationContext operation, UpdateRequest request);

  WriteOutcome delete(OperationContext operation, DeleteRequest request);

  FindAndModifyOutcome findAndModify(OperationContext operation, FindAndModifyRequest request);
}
