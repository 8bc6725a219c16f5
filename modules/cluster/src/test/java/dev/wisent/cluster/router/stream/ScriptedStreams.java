package dev.wisent.cluster.router.stream;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCall;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.SortSettings;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.changestream.ResumeToken;
import dev.wisent.pipeline.sort.MemoryBudget;
import dev.wisent.wire.HostAndPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Shards, and config servers, whose streams give what a test says. The time that this router knows
 * is 99, so that a stream begins at 100.
 */
final class ScriptedStreams implements ShardCalls {
  static final UUID COLLECTION = new UUID(1, 2);

  private static final long KNOWN = 99;
  private static final RawDocument OK = new BsonBuilder().appendInt32("ok", 1).toDocument();

  final OperationContext operation = OperationContext.internal(Clock.system());

  /** The options of {@code $changeStream} that each got, in the order of opening. */
  final Map<String, List<RawDocument>> opened = new HashMap<>();

  /** {@code shard time} of each request to pass a time. */
  final List<String> asked = new ArrayList<>();

  final List<String> killed = new ArrayList<>();
  private final Map<String, Long> shards = new LinkedHashMap<>();
  private final Map<String, Call> waiting = new HashMap<>();
  private final Map<String, RawDocument> first = new HashMap<>();

  /** Adds a shard that is there from the beginning. */
  ScriptedStreams with(String shard, long topologyTime) {
    shards.put(shard, topologyTime);
    return this;
  }

  /** What a shard has when its stream is opened. */
  void begins(String shard, ResumeToken mark, RawDocument... events) {
    first.put(shard, cursor("firstBatch", mark, 7, events));
  }

  ResultCursor open(String options) {
    RawDocument stages =
        RawDocument.parse("{p: [{$changeStream: " + options + "}]}").get("p").asDocument();
    Pipeline pipeline = Pipeline.parse(stages, QueryContexts.of(operation, null));
    var streams =
        new ClusterStreams(
            this, null, () -> KNOWN, new SortSettings(null, MemoryBudget.ofHeap()), Clock.system());
    return streams.open(operation, new AggregateRequest(new Namespace("d", "c"), pipeline, null));
  }

  /** Answers the request for more that a shard has got. */
  void gives(String shard, ResumeToken mark, RawDocument... events) {
    answer(shard, cursor("nextBatch", mark, 7, events));
  }

  /** The same, with the last events of the stream. */
  void endsWith(String shard, ResumeToken mark, RawDocument... events) {
    answer(shard, cursor("nextBatch", mark, 0, events));
  }

  void fails(String shard, CommandException error) {
    waiting.remove(shard).reply.completeExceptionally(error);
  }

  boolean isWaiting(String shard) {
    return waiting.containsKey(shard);
  }

  private void answer(String shard, RawDocument reply) {
    waiting.remove(shard).reply.complete(reply);
  }

  static ResumeToken mark(long time) {
    return ResumeToken.highWaterMark(time);
  }

  static ResumeToken token(long time, int id) {
    RawDocument key = new BsonBuilder().appendInt32("_id", id).toDocument();
    return ResumeToken.ofEvent(time, 0, COLLECTION, "insert", "documentKey", key);
  }

  static RawDocument event(long time, int id) {
    return new BsonBuilder()
        .appendDocument("_id", token(time, id).toDocument())
        .appendString("operationType", "insert")
        .appendInt32("n", id)
        .toDocument();
  }

  /** An event of the list of shards. */
  static RawDocument change(long time, String type, String shard, long topologyTime) {
    var out = new BsonBuilder();
    out.appendDocument("_id", token(time, 0).toDocument()).appendString("operationType", type);
    out.appendTimestamp("clusterTime", time);
    out.startDocument("documentKey").appendString("_id", shard).end();
    return out.appendDocument("fullDocument", shard(shard, topologyTime)).toDocument();
  }

  private static RawDocument shard(String name, long topologyTime) {
    return new BsonBuilder()
        .appendString("_id", name)
        .appendString("host", name + "/localhost:1")
        .appendTimestamp("topologyTime", topologyTime)
        .toDocument();
  }

  private static RawDocument cursor(String batch, ResumeToken mark, long id, RawDocument... of) {
    var out = new BsonBuilder();
    out.startDocument("cursor").startArray(batch);
    for (int i = 0; i < of.length; i++) {
      out.appendDocument(i, of[i]);
    }
    out.end().appendDocument("postBatchResumeToken", mark.toDocument());
    return out.appendInt64("id", id).appendString("ns", "d.c").end().toDocument();
  }

  @Override
  public ShardCall start(OperationContext under, ShardRequest request) {
    RawDocument command = request.command();
    var call = new Call(request);
    if (command.get("aggregate") != null) {
      RawDocument options =
          command
              .get("pipeline")
              .asDocument()
              .get("0")
              .asDocument()
              .get("$changeStream")
              .asDocument();
      opened.computeIfAbsent(request.shard(), any -> new ArrayList<>()).add(options);
      RawValue start = options.get("startAtOperationTime");
      long from = start == null ? 0 : start.asInt64();
      RawDocument reply = first.get(request.shard());
      call.reply.complete(reply == null ? cursor("firstBatch", mark(from), 7) : reply);
    } else if (command.get("find") != null) {
      call.reply.complete(shardList("firstBatch", 0));
    } else if (command.get("getMore") != null && isOfShardList(command)) {
      call.reply.complete(shardList("nextBatch", (int) command.get("getMore").asInt64()));
    } else if (command.get("getMore") != null) {
      waiting.put(request.shard(), call);
    } else {
      asked.add(request.shard() + " " + command.get("_passClusterTime").asInt64());
      call.reply.complete(
          new BsonBuilder().appendAll(OK).appendBoolean("passed", true).toDocument());
    }
    return call;
  }

  private static boolean isOfShardList(RawDocument command) {
    return command.get("collection").asString().equals("shards");
  }

  /** As a server that is not told how large batches are; the id of the cursor is the next place. */
  private RawDocument shardList(String batch, int from) {
    var out = new BsonBuilder();
    out.startDocument("cursor").startArray(batch);
    int to = Math.min(from + Limits.FIRST_BATCH_DEFAULT, shards.size());
    var names = new ArrayList<>(shards.keySet());
    for (int i = from; i < to; i++) {
      out.appendDocument(i - from, shard(names.get(i), shards.get(names.get(i))));
    }
    out.end().appendInt64("id", to < shards.size() ? to : 0);
    return out.appendString("ns", "config.shards").end().toDocument();
  }

  @Override
  public void killCursor(String shard, HostAndPort host, Namespace namespace, long id) {
    killed.add(shard);
  }

  private static final class Call implements ShardCall {
    private final ShardRequest request;
    private final CompletableFuture<RawDocument> reply = new CompletableFuture<>();

    Call(ShardRequest request) {
      this.request = request;
    }

    @Override
    public ShardRequest request() {
      return request;
    }

    @Override
    public ShardReply await(OperationContext under) {
      var host = new HostAndPort(request.shard(), 1);
      try {
        return new ShardReply(request, host, reply.get(), null);
      } catch (ExecutionException e) {
        return new ShardReply(request, host, null, (CommandException) e.getCause());
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void whenDone(Runnable action) {
      var unused = reply.whenComplete((body, failure) -> action.run());
    }

    @Override
    public boolean isDone() {
      return reply.isDone();
    }

    @Override
    public void cancel() {
      reply.cancel(true);
    }
  }
}
