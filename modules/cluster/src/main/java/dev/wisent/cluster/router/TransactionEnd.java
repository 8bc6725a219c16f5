package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
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
  private static final String TOKEN = "recoveryToken";
  private static final String TOKEN_SHARD = "recoveryShardId";
  private static final Set<String> NOT_PASSED =
      Set.of("ok", "$clusterTime", "operationTime", TOKEN);

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
    String shard = shardOf(request);
    if (shard == null) {
      // Not NoSuchTransaction, after which clients begin again: it may be committed.
      throw new CommandException(
          ErrorCode.OPERATION_FAILED,
          "Transaction "
              + request.transactionNumber()
              + " is not known to this router, and the request has no recovery token");
    }
    RawDocument command =
        CallBody.forwarded(
            context.operation(), request.body().without(Set.of(TOKEN)), RawDocument.EMPTY);
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

  /** Another router may have run the statements: then the client knows the shard. */
  private String shardOf(CommandRequest request) {
    String known = transactionShards.of(request.transaction());
    RawValue token = request.body().get(TOKEN);
    if (known != null || token == null || !token.isDocument()) {
      return known;
    }
    RawValue shard = token.asDocument().get(TOKEN_SHARD);
    return shard != null && shard.isString() ? shard.asString() : null;
  }

  /** Tells a client, in the reply to a statement, where the outcome can be learned. */
  static void appendToken(BsonBuilder reply, String shard) {
    reply.startDocument(TOKEN).appendString(TOKEN_SHARD, shard).end();
  }
}
