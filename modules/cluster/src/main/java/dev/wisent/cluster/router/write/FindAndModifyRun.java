package dev.wisent.cluster.router.write;

import dev.wisent.cluster.call.ShardReply;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.OperationContext;

/** Runs a findAndModify on the shard of its document. */
final class FindAndModifyRun {
  private static final int ATTEMPTS_MAX = 10;

  private final WriteShards shards;
  private final KeylessWrites keyless;
  private final WriteTargeting targeting;

  FindAndModifyRun(WriteShards shards, KeylessWrites keyless, WriteTargeting targeting) {
    this.shards = shards;
    this.keyless = keyless;
    this.targeting = targeting;
  }

  FindAndModifyOutcome run(OperationContext operation, FindAndModifyRequest request) {
    var write = new FindAndModifyWrite(request, operation);
    ShardReply reply = null;
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      operation.checkNow();
      reply = attempt(write, operation);
      if (reply.isOk()) {
        return FindAndModifyWrite.outcome(reply.body());
      }
      if (!shards.isStale(reply.error())) {
        break;
      }
    }
    throw MovedDocuments.checked(reply.error());
  }

  private ShardReply attempt(FindAndModifyWrite write, OperationContext operation) {
    FindAndModifyRequest request = write.request();
    Placement placement = shards.placement(operation, request.namespace());
    StatementTarget target =
        placement.isSharded()
            ? targeting.findAndModify(request, placement.sharded(), operation)
            : StatementTarget.Shards.one(placement.primaryShard());
    return switch (target) {
      case StatementTarget.Refused refused -> throw refused.error();
      case StatementTarget.Unknown unknown -> keyless.run(request.namespace(), write, operation);
      case StatementTarget.Shards to ->
          shards.write(operation, placement, to.first(), write.asGiven());
    };
  }
}
