package dev.wisent.cluster.router.stream;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.RemoteCursor;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.changestream.ChangeStreamStage;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.sharding.ShardInfo;
import dev.wisent.wire.client.HostSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Opens the inputs of one stream. */
final class StreamOpening {
  private static final String NO_COLLECTION = "$cmd.aggregate";
  private static final Namespace SHARDS = new Namespace("config", "shards");
  private static final RawDocument SIMPLE =
      new BsonBuilder().appendString("locale", "simple").toDocument();

  private static final RawDocument OF_ROUTER =
      new BsonBuilder().appendBoolean("fromRouter", true).toDocument();

  private final ShardCalls calls;
  private final Namespace namespace;
  private final ChangeStreamStage stream;
  private final List<Stage> stages;
  private final RawDocument arguments;
  private final long start;

  /**
   * @param stages those behind {@code $changeStream} that shards run
   * @param start the time to begin at
   */
  StreamOpening(
      ShardCalls calls,
      AggregateRequest request,
      ChangeStreamStage stream,
      List<Stage> stages,
      long start,
      OperationContext operation) {
    this.calls = calls;
    this.namespace = request.namespace();
    this.stream = stream;
    this.stages = stages;
    this.start = start;
    this.arguments = arguments(request.collation(), operation);
  }

  private static RawDocument arguments(CollationChoice choice, OperationContext operation) {
    var out = new BsonBuilder();
    out.appendBoolean("fromRouter", true).appendBoolean("needsMerge", true);
    out.startDocument("runtimeConstants").appendDate("localNow", operation.nowMillis()).end();
    if (!choice.isInherited()) {
      Collation collation = choice.or(null);
      out.appendDocument("collation", collation == null ? SIMPLE : collation.document());
    }
    if (!operation.let().isEmpty()) {
      out.appendDocument("let", operation.let());
    }
    return out.toDocument();
  }

  /** The stream of the list of shards. */
  StreamInput config(OperationContext operation) {
    RawDocument command =
        command(SHARDS, ChangeStreamStage.mergedOptionsFrom(start), List.of(), OF_ROUTER);
    ShardRequest request =
        ShardRequest.read(ShardCalls.CONFIG, SHARDS.database(), command)
            .from(HostSelector.primary());
    return new StreamInput(calls, calls.exchange(operation, request));
  }

  /**
   * The shards that are in the cluster at a time, or have come since.
   *
   * @param known the newest time that this router knows
   */
  List<ShardInfo> shards(OperationContext operation, long known) {
    long before = Long.compareUnsigned(start - 1, known) < 0 ? start - 1 : known;
    var command = new BsonBuilder().appendString("find", SHARDS.collection());
    command.startDocument("readConcern").appendString("level", "majority");
    command.appendTimestamp("afterClusterTime", before).end();
    ShardRequest request =
        ShardRequest.read(ShardCalls.CONFIG, SHARDS.database(), command.toDocument())
            .from(HostSelector.primary());
    var shards = new ArrayList<ShardInfo>();
    ShardReply reply = calls.exchange(operation, request);
    try (var cursor = new RemoteCursor(calls, reply, operation, RemoteCursor.Tailing.NONE, 0)) {
      for (RawDocument each; (each = cursor.peek()) != null; cursor.take()) {
        shards.add(ShardInfo.of(each));
      }
    }
    return shards;
  }

  /** The streams of shards; where one fails, the others are closed. */
  List<StreamInput> open(OperationContext operation, List<ShardInfo> shards) {
    List<ShardReply> replies =
        calls.callAll(operation, shards.stream().map(this::request).toList());
    var inputs = new ArrayList<StreamInput>();
    CommandException error = null;
    for (ShardReply reply : replies) {
      if (reply.isOk()) {
        inputs.add(new StreamInput(calls, reply));
      } else if (error == null) {
        error = reply.error();
      }
    }
    if (error != null) {
      inputs.forEach(StreamInput::close);
      throw error;
    }
    return inputs;
  }

  /** What shards would do for the stream; where one fails, all of it does. */
  List<ShardReply> explain(
      OperationContext operation, List<ShardInfo> shards, ExplainRequest.Verbosity verbosity) {
    List<ShardRequest> requests =
        shards.stream()
            .map(
                shard -> {
                  RawDocument opened = request(shard).command();
                  var out = new BsonBuilder();
                  out.appendDocument("explain", opened.without(Set.of("cursor")));
                  out.appendString("verbosity", verbosity.text());
                  return ShardRequest.read(shard.name(), namespace.database(), out.toDocument());
                })
            .toList();
    List<ShardReply> replies = calls.callAll(operation, requests);
    for (ShardReply reply : replies) {
      if (!reply.isOk()) {
        throw reply.error();
      }
    }
    return replies;
  }

  /** The stream of a shard that was added. */
  StreamInput join(OperationContext operation, ShardInfo shard) {
    return new StreamInput(calls, calls.exchange(operation, request(shard)));
  }

  /** Before a shard was added its changes were not the cluster's. */
  private ShardRequest request(ShardInfo shard) {
    boolean later = Long.compareUnsigned(shard.topologyTime(), start) > 0;
    RawDocument options =
        later ? stream.mergedOptionsAt(shard.topologyTime()) : stream.mergedOptions(start);
    return ShardRequest.read(
        shard.name(), namespace.database(), command(namespace, options, stages, arguments));
  }

  private static RawDocument command(
      Namespace namespace, RawDocument options, List<Stage> stages, RawDocument arguments) {
    var out = new BsonBuilder();
    if (namespace.collection().equals(NO_COLLECTION)) {
      out.appendInt32("aggregate", 1);
    } else {
      out.appendString("aggregate", namespace.collection());
    }
    out.startArray("pipeline");
    int count = 0;
    out.appendDocument(count++, Stage.explained(ChangeStreamStage.NAME, options));
    for (Stage stage : stages) {
      for (RawDocument each : stage.serialize()) {
        out.appendDocument(count++, each);
      }
    }
    out.end();
    out.startDocument("cursor").end();
    return out.appendAll(arguments).toDocument();
  }
}
