package dev.wisent.cluster.router.write;

import dev.wisent.cluster.call.ShardReply;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.OperationContext;

/** Runs a findAndModify on the shard of its document. */
final class FindAndModifyRun {
  private static final int STALE_MAX = 10;
  private static final int ATTEMPTS_MAX = 100;

  private final WriteShards shards;
  private final KeylessWrites keyless;
  private final MovedDocuments moves;
  private final WriteTargeting targeting;

  FindAndModifyRun(
      WriteShards shards, KeylessWrites keyless, MovedDocuments moves, WriteTargeting targeting) {
    this.shards = shards;
    this.keyless = keyless;
    this.moves = moves;
    this.targeting = targeting;
  }

  FindAndModifyOutcome run(OperationContext operation, FindAndModifyRequest request) {
    var write = new FindAndModifyWrite(request, operation);
    int stale = 0;
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      operation.checkNow();
      ShardReply reply = attempt(write, operation);
      if (reply != null && reply.isOk()) {
        return FindAndModifyWrite.outcome(reply.body());
      }
      if (reply != null && (!shards.isStale(reply.error()) || ++stale == STALE_MAX)) {
        throw reply.error();
      }
    }
    throw MovedDocuments.tooManyConflicts();
  }

  /** Null where it has to be started over. */
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
      case StatementTarget.Shards to -> {
        ShardReply reply = shards.write(operation, placement, to.first(), write.asGiven());
        yield MovedDocuments.isMove(reply.error())
            ? moves.run(placement, to.first(), write, write.withoutUpsert(), 0, operation)
            : reply;
      }
    };
  }
}
