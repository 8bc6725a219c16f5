package dev.wisent.cluster.call;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.wire.HostAndPort;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Sends commands to shards. A call finds the member that may answer it, waits for an election if
 * there is none, ends with the operation (its limit, {@code killOp}, a client that has gone), and
 * learns cluster times from the reply.
 *
 * <p>The caller gives a command its own fields and versions. From the client's request, which
 * {@link RoutedOperation} keeps with the operation, a call adds what the command does not have yet:
 *
 * <ul>
 *   <li>{@code lsid}, {@code comment} and the parameters of the stable API, unless it is for
 *       CONTROL or a CHANGE;
 *   <li>{@code maxTimeMS}: what is left of the client's, unless it is for a CURSOR;
 *   <li>in a transaction {@code txnNumber} and {@code autocommit}; with the first statement that a
 *       shard gets, {@code startTransaction} and {@code readConcern};
 *   <li>outside of transactions {@code readConcern} to a READ, {@code writeConcern} to a WRITE, and
 *       {@code txnNumber} to a WRITE whose client numbers it ({@code stmtIds} are the caller's
 *       business);
 *   <li>{@code $readPreference} to a READ, which is answered by the members that it allows;
 *   <li>{@code $clusterTime}, always.
 * </ul>
 *
 * <p>A READ, a WRITE with a {@code txnNumber} and a CHANGE are repeated after errors that an
 * election or a lost connection causes; a CONTROL where a member refuses it because it is not the
 * primary. Of a transaction nothing is repeated. What a shard cannot have got as a whole is sent
 * again in any case.
 */
public interface ShardCalls {
  /** Names the set of config servers in place of a shard. */
  String CONFIG = "config";

  /** Begins a call. The caller awaits or cancels it. */
  ShardCall start(OperationContext operation, ShardRequest request);

  /** Ends a cursor that a member of a shard has open; waits for nothing and never fails. */
  void killCursor(String shard, HostAndPort host, Namespace namespace, long id);

  /** Sends a command and waits for its reply; throws its error. */
  default RawDocument call(OperationContext operation, ShardRequest request) {
    return exchange(operation, request).get();
  }

  /** Sends a command and waits for its reply or error. */
  default ShardReply exchange(OperationContext operation, ShardRequest request) {
    return start(operation, request).await(operation);
  }

  /** Sends commands at once, and waits until all have their reply or error, in the same order. */
  default List<ShardReply> callAll(OperationContext operation, List<ShardRequest> requests) {
    return replies(operation, requests, request -> start(operation, request));
  }

  /** Begins all calls, and awaits them one after the other. */
  static List<ShardReply> replies(
      OperationContext operation,
      List<ShardRequest> requests,
      Function<ShardRequest, ShardCall> begin) {
    var calls = new ArrayList<ShardCall>(requests.size());
    var replies = new ArrayList<ShardReply>(requests.size());
    try {
      for (ShardRequest request : requests) {
        calls.add(begin.apply(request));
      }
      for (ShardCall call : calls) {
        replies.add(call.await(operation));
      }
      return replies;
    } finally {
      if (replies.size() < requests.size()) {
        calls.forEach(ShardCall::cancel);
      }
    }
  }
}
