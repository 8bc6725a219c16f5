package dev.wisent.cluster.router.read;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.RemoteCursor;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;
import java.util.ArrayList;
import java.util.List;

/** Sends a read to several shards at once. */
final class ShardScatter {
  private final ShardCalls calls;

  ShardScatter(ShardCalls calls) {
    this.calls = calls;
  }

  /**
   * What shards have opened cursors for.
   *
   * @param partial whether shards are left out that cannot be reached
   */
  record Opened(List<RemoteCursor> inputs, boolean partial) {}

  /** The replies of all shards; throws the error of one. */
  List<ShardReply> all(OperationContext operation, List<ShardRequest> requests) {
    List<ShardReply> replies = calls.callAll(operation, requests);
    CommandException error = errorOf(replies, false);
    if (error != null) {
      throw error;
    }
    return replies;
  }

  /**
   * Opens a cursor on each shard; where one fails, those of the others are closed.
   *
   * @param batchSize of the batches after the first; 0 for what shards think fit
   * @param partialAllowed whether shards that cannot be reached may be left out
   */
  Opened open(
      OperationContext operation,
      List<ShardRequest> requests,
      long batchSize,
      boolean partialAllowed) {
    List<ShardReply> replies = calls.callAll(operation, requests);
    CommandException error = errorOf(replies, partialAllowed);
    var inputs = new ArrayList<RemoteCursor>();
    for (ShardReply reply : replies) {
      if (reply.isOk()) {
        inputs.add(new RemoteCursor(calls, reply, operation, RemoteCursor.Tailing.NONE, batchSize));
      }
    }
    if (error != null) {
      inputs.forEach(RemoteCursor::close);
      throw error;
    }
    return new Opened(inputs, inputs.size() < replies.size());
  }

  /** What the read fails with: that its routing is stale, before all others; null for nothing. */
  private static CommandException errorOf(List<ShardReply> replies, boolean partialAllowed) {
    CommandException first = null;
    for (ShardReply reply : replies) {
      CommandException error = reply.error();
      if (error == null || (partialAllowed && UnreachableShard.isCauseOf(error))) {
        continue;
      }
      if (isStale(error)) {
        return error;
      }
      if (first == null) {
        first = error;
      }
    }
    return first;
  }

  private static boolean isStale(CommandException error) {
    return error.code() == ErrorCode.STALE_CONFIG || error.code() == ErrorCode.STALE_DB_VERSION;
  }

  /** A request for each shard. */
  static List<ShardRequest> requests(
      List<ReadTarget> targets, String database, RawDocument command) {
    return targets.stream().map(target -> target.request(database, command)).toList();
  }
}
