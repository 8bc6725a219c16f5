package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.CallBody;
import dev.wisent.cluster.call.NodeShardCalls;
import dev.wisent.cluster.call.RoutedTransaction;
import dev.wisent.cluster.call.ShardCall;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.call.TransactionCounts.CommitType;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.wire.client.HostSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * {@code commitTransaction} and {@code abortTransaction}. Shards that have only read commit by
 * themselves, and so does one that alone has written; several writers commit in two phases, which
 * the first of them coordinates.
 */
final class TransactionEnd {
  /** The cause of an abort that the client asks for. */
  private static final String BY_CLIENT = "abort";

  private static final String TOKEN = "recoveryToken";
  private static final String TOKEN_SHARD = "recoveryShardId";
  private static final Set<String> NOT_PASSED =
      Set.of("ok", "$clusterTime", "operationTime", TOKEN);

  private final NodeShardCalls calls;
  private final RouterTransactions transactions;
  private final CursorRegistry cursors;

  TransactionEnd(NodeShardCalls calls, RouterTransactions transactions, CursorRegistry cursors) {
    this.calls = calls;
    this.transactions = transactions;
    this.cursors = cursors;
  }

  void commit(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RoutedTransaction transaction = known(request);
    RawDocument answer =
        transaction == null
            ? recovered(request, context.operation())
            : committed(transaction, request, context.operation());
    append(answer, reply);
  }

  void abort(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RoutedTransaction transaction = known(request);
    if (transaction == null) {
      append(sent(requireToken(request), request, context.operation()).await().get(), reply);
      return;
    }
    if (transaction.isAborted()) {
      throw RouterTransactions.aborted(transaction.id());
    }
    if (transaction.participants().isEmpty()) {
      throw new CommandException(
          ErrorCode.NO_SUCH_TRANSACTION,
          "no known command has been sent by this router for this transaction");
    }
    if (transaction.isDeciding()) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "the commit of the transaction has begun, and may have succeeded");
    }
    transaction.abort(BY_CLIENT);
    append(last(transaction.participants(), request, context.operation()), reply);
  }

  private RoutedTransaction known(CommandRequest request) {
    if (!request.isInTransaction()) {
      throw new CommandException(
          ErrorCode.NO_SUCH_TRANSACTION, request.name() + " must be run within a transaction");
    }
    cursors.killOf(request.transaction());
    return transactions.find(request.transaction());
  }

  private RawDocument committed(
      RoutedTransaction transaction, CommandRequest request, OperationContext operation) {
    if (transaction.isAborted()) {
      throw RouterTransactions.aborted(transaction.id());
    }
    if (transaction.participants().size() > 1 && transaction.isUnanswered()) {
      transactions.abort(transaction, ErrorCode.NO_SUCH_TRANSACTION);
      throw RouterTransactions.aborted(transaction.id());
    }
    CommitType type = typeOf(transaction);
    long start = operation.clock().monotonicNanos();
    transaction.beginCommit(type);
    transaction.enter();
    try {
      RawDocument answer = commit(transaction, type, request, operation);
      transaction.committed(type, operation.clock().monotonicNanos() - start);
      return answer;
    } catch (CommandException e) {
      if (e.code() == ErrorCode.NO_SUCH_TRANSACTION
          || e.code() == ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION) {
        // The shards have ended it: asked again, they say the same.
        transaction.abort(e.code().codeName());
      }
      throw e;
    } finally {
      transaction.leave();
    }
  }

  private static CommitType typeOf(RoutedTransaction transaction) {
    return switch (transaction.participants().size()) {
      case 0 -> CommitType.NO_SHARDS;
      case 1 -> CommitType.SINGLE_SHARD;
      default ->
          switch (transaction.writers().size()) {
            case 0 -> CommitType.READ_ONLY;
            case 1 -> CommitType.SINGLE_WRITE_SHARD;
            default -> CommitType.TWO_PHASE_COMMIT;
          };
    };
  }

  private RawDocument commit(
      RoutedTransaction transaction,
      CommitType type,
      CommandRequest request,
      OperationContext operation) {
    return switch (type) {
      case SINGLE_SHARD, READ_ONLY -> last(transaction.participants(), request, operation);
      case SINGLE_WRITE_SHARD, TWO_PHASE_COMMIT ->
          writersAfterReaders(transaction, transaction.writers(), request, operation);
      case NO_SHARDS, RECOVER_WITH_TOKEN -> RawDocument.EMPTY;
    };
  }

  /** Readers first: as long as no writer has committed, the transaction can begin anew. */
  private RawDocument writersAfterReaders(
      RoutedTransaction transaction,
      List<String> writers,
      CommandRequest request,
      OperationContext operation) {
    if (!transaction.isDeciding()) {
      List<String> readers = transaction.participants();
      readers.removeAll(writers);
      try {
        var unused = last(readers, request, operation);
      } catch (CommandException e) {
        transactions.abort(transaction, e.code());
        throw e;
      }
      transaction.decide();
    }
    return writers.size() == 1
        ? last(writers, request, operation)
        : coordinated(transaction.firstWriter(), writers, request, operation);
  }

  /** Another router has run the statements: a shard that has written knows what came of them. */
  private RawDocument recovered(CommandRequest request, OperationContext operation) {
    String shard = requireToken(request);
    var transaction =
        new RoutedTransaction(request.transaction(), RawDocument.EMPTY, transactions.counts());
    long start = operation.clock().monotonicNanos();
    transaction.beginCommit(CommitType.RECOVER_WITH_TOKEN);
    try {
      RawDocument answer = coordinated(shard, List.of(), request, operation);
      transaction.committed(
          CommitType.RECOVER_WITH_TOKEN, operation.clock().monotonicNanos() - start);
      return answer;
    } catch (CommandException e) {
      transaction.abort(e.code().codeName());
      throw e;
    }
  }

  /**
   * Has a shard commit on several, or tell what came of that.
   *
   * @param writers empty to learn the outcome
   */
  private RawDocument coordinated(
      String shard, List<String> writers, CommandRequest request, OperationContext operation) {
    var command = new BsonBuilder(256).appendInt32("coordinateCommitTransaction", 1);
    command.startArray("participants");
    for (int i = 0; i < writers.size(); i++) {
      command.startDocument(i).appendString("shardId", writers.get(i)).end();
    }
    command.end();
    ElementCursor fields = request.body().without(Set.of(TOKEN)).elements();
    fields.next();
    while (fields.next()) {
      command.appendElement(fields);
    }
    RawDocument body = CallBody.forwarded(operation, command.toDocument(), RawDocument.EMPTY);
    return calls
        .startForwarded(
            operation,
            ShardRequest.write(shard, null, body, List.of()),
            HostSelector.primary(),
            true)
        .await(operation)
        .get();
  }

  private static String requireToken(CommandRequest request) {
    RawValue token = request.body().get(TOKEN);
    if (token == null || !token.isDocument()) {
      // Not NoSuchTransaction, after which clients begin again: it may be committed.
      throw new CommandException(
          ErrorCode.OPERATION_FAILED,
          "Transaction "
              + request.transactionNumber()
              + " is not known to this router, and the request has no recovery token");
    }
    RawValue shard = token.asDocument().get(TOKEN_SHARD);
    if (shard == null || !shard.isString()) {
      throw new CommandException(
          ErrorCode.NO_SUCH_TRANSACTION,
          "Recovery token is empty, meaning the transaction only performed reads and can be safely"
              + " retried");
    }
    return shard.asString();
  }

  /** Sends the client's command to shards; what the last one replies, or the error of any. */
  private RawDocument last(
      List<String> shards, CommandRequest request, OperationContext operation) {
    var started = new ArrayList<Sent>(shards.size());
    var answers = new ArrayList<ShardReply>(shards.size());
    try {
      for (String shard : shards) {
        started.add(sent(shard, request, operation));
      }
      for (Sent each : started) {
        answers.add(each.await());
      }
    } finally {
      if (answers.size() < shards.size()) {
        started.forEach(each -> each.call.cancel());
      }
    }
    RawDocument body = RawDocument.EMPTY;
    for (ShardReply answer : answers) {
      body = answer.get();
    }
    return body;
  }

  private record Sent(ShardCall call, OperationContext operation) {
    ShardReply await() {
      return call.await(operation);
    }
  }

  private Sent sent(String shard, CommandRequest request, OperationContext operation) {
    RawDocument command =
        CallBody.forwarded(operation, request.body().without(Set.of(TOKEN)), RawDocument.EMPTY);
    ShardRequest forwarded = ShardRequest.write(shard, null, command, List.of());
    return new Sent(
        calls.startForwarded(operation, forwarded, HostSelector.primary(), true), operation);
  }

  private static void append(RawDocument answer, BsonBuilder reply) {
    ElementCursor fields = answer.elements();
    while (fields.next()) {
      if (!NOT_PASSED.contains(fields.name())) {
        reply.appendElement(fields);
      }
    }
  }

  /** Tells a client, in the reply to a statement, where the outcome can be learned. */
  static void appendToken(BsonBuilder reply, RoutedTransaction transaction) {
    reply.startDocument(TOKEN);
    if (transaction.firstWriter() != null) {
      reply.appendString(TOKEN_SHARD, transaction.firstWriter());
    }
    reply.end();
  }
}
