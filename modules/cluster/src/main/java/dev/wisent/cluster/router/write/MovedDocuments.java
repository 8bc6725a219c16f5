package dev.wisent.cluster.router.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RetryableErrors;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.SessionId;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.List;
import java.util.Set;

/**
 * Retryable updates that give a document to another shard: a small transaction of both shards. The
 * statement runs once more, in the transaction, and its shard removes the document; the other one
 * inserts it; both commit in two phases. That the statement is done is committed with it, on the
 * shard that the document leaves, where a retry asks.
 *
 * <p>All transactions for one session of a client are of one session too, and a newer one ends an
 * older one: a retry, through any router, takes the place of an attempt that has not committed.
 */
final class MovedDocuments {
  private static final Set<String> OF_STATEMENT_NUMBERS = Set.of("stmtId", "stmtIds");

  private final WriteShards shards;
  private final RisingNumbers numbers = new RisingNumbers();

  MovedDocuments(WriteShards shards) {
    this.shards = shards;
  }

  /** Whether an error says that an update would give a document to another shard. */
  static boolean isMove(CommandException error) {
    return error != null && error.code() == ErrorCode.WOULD_CHANGE_OWNING_SHARD;
  }

  /** Says that the document was changed by others whenever it was about to be changed. */
  static CommandException tooManyConflicts() {
    return new CommandException(
        ErrorCode.WRITE_CONFLICT,
        "The document to change was changed by other writes each time it was found. Please retry"
            + " your operation.");
  }

  /**
   * Executes a statement of a retryable write in a transaction.
   *
   * @param shard the one that the document is to leave
   * @param form the statement without an upsert
   * @param attempt that of a write whose shard was not known; 0 for another
   * @return the shard's reply, as if it had executed the statement alone; null where the statement
   *     has to be started over, as another write was faster
   */
  ShardReply run(
      Placement placement,
      String shard,
      SingleWrite write,
      SingleWrite.Form form,
      long attempt,
      OperationContext operation) {
    operation.checkNow();
    var move = new Move(placement, form, operation);
    boolean committed = false;
    try {
      ShardReply reply = move.remove(shard, instructions(write, attempt, operation));
      if (reply == null || MovedInserts.errorOf(reply) != null || isRetried(reply.body())) {
        return reply;
      }
      if (!write.hasMatched(reply.body())) {
        return null;
      }
      CommandException refused = move.insert(reply.body());
      if (refused != null) {
        return isStartedOver(refused, false)
            ? null
            : MovedInserts.failed(reply, 0, MovedInserts.ofUpdate(refused));
      }
      CommandException failed = move.commit();
      committed = failed == null || !isStartedOver(failed, true);
      return failed == null
          ? reply
          : committed ? new ShardReply(reply.request(), reply.host(), null, failed) : null;
    } finally {
      if (!committed) {
        move.abort();
      }
    }
  }

  private static boolean isRetried(RawDocument reply) {
    return reply.get("retriedStmtIds") != null || reply.get("retriedStmtId") != null;
  }

  private static RawDocument instructions(
      SingleWrite write, long attempt, OperationContext operation) {
    RetryableWrite client = operation.retryableWrite();
    var out = new BsonBuilder(160).appendBoolean("moves", true).startDocument("of");
    out.appendDocument("lsid", client.session().document());
    out.appendInt64("txnNumber", client.txnNumber());
    out.appendInt32("stmtId", write.statementId());
    if (attempt != 0) {
      out.appendInt64("attempt", attempt);
    }
    return out.end().toDocument();
  }

  /** Whether a transaction that ended so may succeed from its begin. */
  private boolean isStartedOver(CommandException error, boolean ofCommit) {
    if (error.code() == ErrorCode.TRANSACTION_TOO_OLD) {
      numbers.leap();
      return true;
    }
    int number = RemoteErrorException.numberOf(error);
    return shards.isStale(error)
        || number == ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS.code()
        || (ofCommit
            ? RetryableErrors.isTransientAtCommit(number)
            : RetryableErrors.isTransientInTransaction(number));
  }

  /** One transaction. */
  private final class Move {
    private final Placement placement;
    private final SingleWrite.Form form;
    private final OperationContext operation;
    private final SessionId session;
    private final long number;
    private String from;
    private String to;

    Move(Placement placement, SingleWrite.Form form, OperationContext operation) {
      this.placement = placement;
      this.form = form;
      this.operation = operation;
      this.session = operation.retryableWrite().session().ofMoves();
      this.number = numbers.next(operation.clock());
    }

    /** The shard's reply; null where the statement has to be started over. */
    ShardReply remove(String shard, RawDocument instructions) {
      from = shard;
      var command = new BsonBuilder(512);
      command.appendAll(form.command().without(OF_STATEMENT_NUMBERS));
      command.appendDocument("routing", instructions);
      ShardReply reply = send(shard, form, command);
      CommandException error = MovedInserts.errorOf(reply);
      return error != null && isStartedOver(error, false) ? null : reply;
    }

    /** Why the document cannot be inserted; null where it is, or stays where it was. */
    CommandException insert(RawDocument reply) {
      for (MovedInserts.Moved moved : MovedInserts.of(reply)) {
        SingleWrite.Form insert = MovedInserts.insertOf(form.namespace(), moved.document());
        to = placement.shardOf(moved.document());
        var command = new BsonBuilder(256).appendAll(insert.command());
        return MovedInserts.errorOf(send(to, insert, command));
      }
      return null;
    }

    private ShardReply send(String shard, SingleWrite.Form sent, BsonBuilder command) {
      placement.appendVersions(command, shard);
      appendId(command).appendBoolean("startTransaction", true);
      return shards.control(
          operation, shard, sent.namespace().database(), command.toDocument(), sent.sequences());
    }

    private BsonBuilder appendId(BsonBuilder command) {
      return command
          .appendDocument("lsid", session.document())
          .appendInt64("txnNumber", number)
          .appendBoolean("autocommit", false);
    }

    /** Why it has not committed, or may not have; null where it has. */
    CommandException commit() {
      var command = new BsonBuilder(256).appendInt32("coordinateCommitTransaction", 1);
      command.startArray("participants");
      command.startDocument(0).appendString("shardId", from).end();
      if (to != null) {
        command.startDocument(1).appendString("shardId", to).end();
      }
      appendId(command.end());
      ShardReply reply = shards.finish(operation, from, command.toDocument());
      RoutedOperation routed = RoutedOperation.of(operation);
      if (reply.isOk() && routed != null) {
        routed.takeWriteConcernError(from, reply.body());
      }
      return reply.error();
    }

    /** As far as the shards can be reached; a part that does not hear of it ends by itself. */
    void abort() {
      var command = appendId(new BsonBuilder(160).appendInt32("abortTransaction", 1));
      RawDocument body = command.toDocument();
      for (String shard : to == null ? List.of(from) : List.of(from, to)) {
        shards.end(shard, body, operation.clock());
      }
    }
  }
}
