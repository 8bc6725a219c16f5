package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.CallBody;
import dev.wisent.cluster.call.NodeShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.wire.client.HostSelector;
import java.util.List;
import java.util.Set;

/** {@code commitTransaction} and {@code abortTransaction}, at the shard of the transaction. */
final class TransactionEnd {
  private static final Set<String> NOT_PASSED =
      Set.of("ok", "$clusterTime", "operationTime", "recoveryToken");

  private final NodeShardCalls calls;
  private final TransactionShards transactionShards;

  TransactionEnd(NodeShardCalls calls, TransactionShards transactionShards) {
    this.calls = calls;
    this.transactionShards = transactionShards;
  }

  void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    if (!request.isInTransaction()) {
      throw new CommandException(
          ErrorCode.NO_SUCH_TRANSACTION, request.name() + " must be run within a transaction");
    }
    String shard = transactionShards.of(request.transaction());
    if (shard == null) {
      throw new CommandException(
          ErrorCode.NO_SUCH_TRANSACTION,
          "Transaction " + request.transactionNumber() + " is not known to this router",
          List.of("TransientTransactionError"));
    }
    RawDocument command =
        CallBody.forwarded(
            context.operation(),
            request.body().without(Set.of("recoveryToken")),
            RawDocument.EMPTY);
    ShardRequest forwarded = ShardRequest.write(shard, null, command, List.of());
    ShardReply answer =
        calls
            .startForwarded(context.operation(), forwarded, HostSelector.primary(), true)
            .await(context.operation());
    ElementCursor fields = answer.get().elements();
    while (fields.next()) {
      if (!NOT_PASSED.contains(fields.name())) {
        reply.appendElement(fields);
      }
    }
  }
}
