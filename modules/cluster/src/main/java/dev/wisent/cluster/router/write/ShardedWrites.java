package dev.wisent.cluster.router.write;

import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.router.read.ReadRouting;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ReadPoint;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.query.update.UpdateContext;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.RoutingCatalog;
import java.util.function.Function;

/** Writes to the shards that have the documents. */
public final class ShardedWrites implements WriteRouting {
  private final UpdateContext context;
  private final WriteShards shards;
  private final WriteTargeting targeting;
  private final MovedDocuments moves;
  private final KeylessWrites keyless;

  /**
   * @param databases the routing of a database, which is created where it does not exist
   * @param reads finds documents whose shard a write does not tell
   * @param snapshots a time for such a read that all shards can read at; null where there is none
   * @param context what upserts need to know of the world
   */
  public ShardedWrites(
      RoutingCatalog catalog,
      Function<String, DatabaseRouting> databases,
      ShardCalls calls,
      ReadRouting reads,
      Function<OperationContext, ReadPoint> snapshots,
      UpdateContext context) {
    this.context = context;
    this.shards = new WriteShards(catalog, databases, calls);
    var upserts = new UpsertDocuments(context);
    this.targeting = new WriteTargeting(upserts);
    this.moves = new MovedDocuments(shards);
    this.keyless = new KeylessWrites(shards, reads, snapshots, upserts, moves);
  }

  @Override
  public WriteOutcome insert(OperationContext operation, InsertRequest request) {
    return run(new InsertBatch(request, context.newObjectId()), operation);
  }

  @Override
  public WriteOutcome update(OperationContext operation, UpdateRequest request) {
    return run(new UpdateBatch(request, targeting), operation);
  }

  @Override
  public WriteOutcome delete(OperationContext operation, DeleteRequest request) {
    return run(new DeleteBatch(request, targeting), operation);
  }

  private WriteOutcome run(StatementBatch batch, OperationContext operation) {
    var run = new BatchRun(shards, keyless, moves, batch, operation);
    RoutedOperation routed = RoutedOperation.of(operation);
    ShardReply forwarded = routed == null ? null : routed.takeForwarded();
    if (forwarded != null) {
      run.takeForwarded(forwarded);
    }
    return run.run();
  }

  @Override
  public FindAndModifyOutcome findAndModify(
      OperationContext operation, FindAndModifyRequest request) {
    return new FindAndModifyRun(shards, keyless, moves, targeting).run(operation, request);
  }
}
