package dev.wisent.cluster.router.write;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.call.StaleRetry;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.wire.DocumentSequence;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Sends writes to shards, with the versions that they were routed with. */
final class WriteShards {
  /** Room in a message for what a command has beside its statements and the client's arguments. */
  private static final int COMMAND_BYTES = 64 * 1024;

  private static final long END_MILLIS_MAX = 5_000;

  private final RoutingCatalog catalog;
  private final Function<String, DatabaseRouting> databases;
  private final ShardCalls calls;
  private final StaleRetry stale;

  /**
   * @param databases the routing of a database, which is created where it does not exist
   */
  WriteShards(
      RoutingCatalog catalog, Function<String, DatabaseRouting> databases, ShardCalls calls) {
    this.catalog = catalog;
    this.databases = databases;
    this.calls = calls;
    this.stale = new StaleRetry(catalog);
  }

  /** Where a collection is, as far as is known now. */
  Placement placement(OperationContext operation, Namespace namespace) {
    CollectionRouting sharded = catalog.collection(operation, namespace);
    return sharded != null
        ? new Placement(sharded, null)
        : new Placement(null, databases.apply(namespace.database()));
  }

  /** Whether a shard refused a write for a stale version; if so, the next placement is newer. */
  boolean isStale(RawDocument error) {
    return stale.refresh(error);
  }

  boolean isStale(CommandException error) {
    return stale.refresh(error);
  }

  /** What the statements of one message may take. */
  long statementBytesMax(OperationContext operation) {
    RoutedOperation routed = RoutedOperation.of(operation);
    int body = routed == null ? 0 : routed.request().body().length();
    return (long) Limits.MESSAGE_BYTES_MAX - COMMAND_BYTES - body;
  }

  /** Sends a command to one shard. */
  ShardReply write(
      OperationContext operation, Placement placement, String shard, SingleWrite.Form form) {
    return write(operation, placement, List.of(shard), List.of(form)).getFirst();
  }

  /** Sends a command to each of some shards at once. */
  List<ShardReply> write(
      OperationContext operation,
      Placement placement,
      List<String> shards,
      List<SingleWrite.Form> forms) {
    if (operation.retryableWrite() != null) {
      operation.retryableWrite().beforeCommit();
    }
    var requests = new ArrayList<ShardRequest>(forms.size());
    for (int i = 0; i < forms.size(); i++) {
      SingleWrite.Form form = forms.get(i);
      var command = new BsonBuilder(form.command().length() + 256).appendAll(form.command());
      appendMoves(command, placement, operation);
      placement.appendVersions(command, shards.get(i));
      appendAcknowledgement(command, form.command(), operation);
      requests.add(
          ShardRequest.write(
              shards.get(i), form.namespace().database(), command.toDocument(), form.sequences()));
    }
    List<ShardReply> replies = calls.callAll(operation, requests);
    RoutedOperation routed = RoutedOperation.of(operation);
    for (ShardReply reply : replies) {
      if (routed != null && routed.transaction() != null) {
        throwStale(reply);
      }
      if (routed != null && reply.isOk()) {
        routed.takeWriteConcernError(reply.request().shard(), reply.body());
      }
    }
    return RoutedOperation.isStatement(operation)
        ? replies.stream().map(reply -> completed(reply, placement, operation)).toList()
        : replies;
  }

  /** In a transaction of the client an update may move a document to another shard. */
  private static void appendMoves(
      BsonBuilder command, Placement placement, OperationContext operation) {
    if (placement.isSharded() && RoutedOperation.isStatement(operation)) {
      command.startDocument("routing").appendBoolean("moves", true).end();
    }
  }

  /** Inserts what has left its shard in a transaction of the client, in the same transaction. */
  private ShardReply completed(ShardReply reply, Placement placement, OperationContext operation) {
    if (!reply.isOk()) {
      return reply;
    }
    var namespace = placement.isSharded() ? placement.sharded().namespace() : null;
    for (MovedInserts.Moved moved : MovedInserts.of(reply.body())) {
      ShardReply inserted =
          write(
              operation,
              placement,
              placement.shardOf(moved.document()),
              MovedInserts.insertOf(namespace, moved.document()));
      CommandException error = MovedInserts.errorOf(inserted);
      if (error != null) {
        return MovedInserts.failed(reply, moved.index(), MovedInserts.ofUpdate(error));
      }
    }
    return reply;
  }

  /** Sends a command of the router's own to one shard, and waits for what comes of it. */
  ShardReply control(
      OperationContext operation,
      String shard,
      String database,
      RawDocument command,
      List<DocumentSequence> sequences) {
    return calls.exchange(
        operation,
        new ShardRequest(
            shard, database, command, sequences, ShardRequest.Purpose.CONTROL, null, null));
  }

  /**
   * Ends what is done for the client's write, with its write concern; repeated until it is known.
   */
  ShardReply finish(OperationContext operation, String shard, RawDocument command) {
    return calls.exchange(operation, ShardRequest.write(shard, "admin", command, List.of()));
  }

  /** Tells a shard of an end that it may not hear of. */
  void end(String shard, RawDocument command, Clock clock) {
    OperationContext own = OperationContext.internal(clock);
    own.limitMillis(END_MILLIS_MAX);
    try {
      var unused = calls.exchange(own, ShardRequest.control(shard, "admin", command));
    } catch (CommandException e) {
      // It ends by itself.
    }
  }

  /** In a transaction the shard has aborted its part, so that nothing can be sent again. */
  private void throwStale(ShardReply reply) {
    if (!reply.isOk()) {
      if (isStale(reply.error())) {
        throw reply.error();
      }
      return;
    }
    RawValue errors = reply.body().get("writeErrors");
    if (errors == null) {
      return;
    }
    ElementCursor each = errors.elements();
    if (each.next() && isStale(each.value().asDocument())) {
      throw RemoteErrorException.of(each.value().asDocument());
    }
  }

  /** Shards tell what they did also where the client does not want to know. */
  private static void appendAcknowledgement(
      BsonBuilder command, RawDocument form, OperationContext operation) {
    RoutedOperation routed = RoutedOperation.of(operation);
    RawDocument given = routed == null ? null : routed.request().writeConcern();
    RawValue acknowledged = given == null ? null : given.get("w");
    if (form.get("writeConcern") == null
        && acknowledged != null
        && acknowledged.isNumber()
        && acknowledged.toLong() == 0) {
      command.startDocument("writeConcern").appendInt32("w", 1).end();
    }
  }
}
