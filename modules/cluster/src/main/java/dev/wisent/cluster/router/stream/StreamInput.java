package dev.wisent.cluster.router.stream;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCall;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.changestream.ResumeToken;
import dev.wisent.wire.HostAndPort;

/** The stream of one shard, or of the config servers, as far as it has come here. */
final class StreamInput {
  /** How many events wait here at most, beside the bound of a reply's bytes. */
  private static final int BATCH_SIZE = 1000;

  private final ShardCalls calls;
  private final String shard;
  private final HostAndPort host;
  private final Namespace namespace;
  private long id;
  private ElementCursor batch;
  private RawDocument next;
  private ResumeToken nextToken;

  /** All events up to here are in the batches so far. */
  private ResumeToken mark;

  /** The request for the next batch; null for none. */
  private ShardCall call;

  /** The time that the shard was asked to pass, and when. */
  private long askedTime;

  private long askedNanos;

  /** When the shard has left the cluster; 0 while it belongs to it. */
  private long removedTime;

  private boolean lost;

  /**
   * @param reply what opened the stream
   */
  StreamInput(ShardCalls calls, ShardReply reply) {
    this.calls = calls;
    this.shard = reply.request().shard();
    this.host = reply.host();
    RawDocument cursor = reply.get().get("cursor").asDocument();
    this.namespace = Namespace.parse(cursor.get("ns").asString());
    receive(cursor, "firstBatch");
  }

  String shard() {
    return shard;
  }

  HostAndPort host() {
    return host;
  }

  /** The next event; null if none has come. */
  RawDocument next() {
    return next;
  }

  /** The place of the next event. */
  ResumeToken nextToken() {
    return nextToken;
  }

  /** Whether it has no event that is earlier than a place, and will have none. */
  boolean hasPassed(ResumeToken place) {
    return (next == null ? mark : nextToken).compareTo(place) >= 0;
  }

  /** A time that no event which has come is later than. */
  long newestTime() {
    return mark.clusterTime();
  }

  /** A place up to which all its events were taken. */
  ResumeToken passed() {
    return next == null ? mark : ResumeToken.highWaterMark(nextToken.clusterTime());
  }

  /** Whether it has ended with what was taken so far, as a stream does after an invalidate. */
  boolean isEnded() {
    return next == null && id == 0 && !lost;
  }

  void removed(long clusterTime) {
    removedTime = clusterTime;
  }

  boolean isRemoved() {
    return removedTime != 0;
  }

  /** Nothing more can come: no member of the shard is known. */
  void lost() {
    lost = true;
    id = 0;
    call = null;
  }

  boolean isLost() {
    return lost;
  }

  /** Whether the shard has left the cluster and everything from before was taken. */
  boolean isDone() {
    return isRemoved()
        && ((lost && next == null) || hasPassed(ResumeToken.highWaterMark(removedTime)));
  }

  private void receive(RawDocument cursor, String field) {
    id = cursor.get("id").toLong();
    batch = cursor.get(field).elements();
    RawValue token = cursor.get("postBatchResumeToken");
    mark = ResumeToken.parse(token.asDocument());
    take();
  }

  /** Goes behind the next event. */
  void take() {
    boolean more = batch.next();
    next = more ? batch.value().asDocument() : null;
    nextToken = more ? ResumeToken.parse(next.get("_id").asDocument()) : null;
  }

  /**
   * Asks for the next batch, if the last one is used up.
   *
   * @param whenCome called when it has come, on any thread
   */
  void fetch(OperationContext operation, long awaitMillis, Runnable whenCome) {
    if (next != null || id == 0 || call != null || isDone()) {
      return;
    }
    var command = new BsonBuilder();
    command.appendInt64("getMore", id).appendString("collection", namespace.collection());
    command.appendInt32("batchSize", BATCH_SIZE).appendInt64("maxTimeMS", awaitMillis);
    call =
        calls.start(
            operation,
            ShardRequest.cursor(shard, host, namespace.database(), command.toDocument()));
    call.whenDone(whenCome);
  }

  /** Takes the next batch if it has come; throws the error that came in its place. */
  void receive(OperationContext operation) {
    if (call == null || !call.isDone()) {
      return;
    }
    ShardReply reply = call.await(operation);
    call = null;
    if (reply.error() != null) {
      id = 0; // The shard has closed it, or does so when it misses its client.
      throw reply.error();
    }
    receive(reply.body().get("cursor").asDocument(), "nextBatch");
  }

  /** Notes that the shard is asked to pass a time; false if it was so not long ago. */
  boolean ask(long time, long nowNanos, long againNanos) {
    if (Long.compareUnsigned(time, askedTime) <= 0 && nowNanos - askedNanos < againNanos) {
      return false;
    }
    askedTime = time;
    askedNanos = nowNanos;
    return true;
  }

  void close() {
    if (call != null) {
      call.cancel();
      call = null;
    }
    if (id != 0) {
      try {
        calls.killCursor(shard, host, namespace, id);
      } catch (CommandException e) {
        // The shard closes it when it misses its client.
      }
      id = 0;
    }
  }
}
