package dev.wisent.cluster.call;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.wire.HostAndPort;

/**
 * A cursor that a member of a shard has open: it gives the documents of its batches, and asks for
 * the next one when those are taken. Its end ends the cursor on the shard.
 */
public final class RemoteCursor implements ResultCursor {
  /** How a shard's cursor was asked for, so that its end can be told from a pause. */
  public enum Tailing {
    NONE,
    TAILABLE,
    AWAIT_DATA,
    CHANGE_STREAM
  }

  private final ShardCalls calls;
  private final String shard;
  private final HostAndPort host;
  private final Namespace namespace;
  private final Tailing tailing;
  private final long batchSize;

  private OperationContext operation;
  private long id;
  private ElementCursor batch;
  private RawDocument next;
  private RawDocument resumeToken;
  private ShardCall ahead;

  /**
   * @param reply what opened the cursor: its field {@code cursor} has the first batch
   * @param batchSize of the batches after it; 0 for what the shard chooses
   */
  public RemoteCursor(
      ShardCalls calls,
      ShardReply reply,
      OperationContext operation,
      Tailing tailing,
      long batchSize) {
    this(calls, reply, operation, tailing, batchSize, "firstBatch");
  }

  private RemoteCursor(
      ShardCalls calls,
      ShardReply reply,
      OperationContext operation,
      Tailing tailing,
      long batchSize,
      String batchField) {
    this.calls = calls;
    this.shard = reply.request().shard();
    this.host = reply.host();
    this.operation = operation;
    this.tailing = tailing;
    this.batchSize = batchSize;
    RawDocument cursor = reply.get().get("cursor").asDocument();
    this.namespace = Namespace.parse(cursor.get("ns").asString());
    receive(cursor, batchField);
  }

  /**
   * A cursor whose first batch has gone to the client already.
   *
   * @param batchSize of the next ones; 0 for what the shard chooses
   */
  public static RemoteCursor afterFirstBatch(
      ShardCalls calls, ShardReply reply, Tailing tailing, long batchSize) {
    return new RemoteCursor(calls, reply, null, tailing, batchSize, "");
  }

  public String shard() {
    return shard;
  }

  /** The member that has the cursor. */
  public HostAndPort host() {
    return host;
  }

  /** As the shard's replies name it. */
  public Namespace namespace() {
    return namespace;
  }

  /** The id on the shard; 0 after its last batch. */
  public long id() {
    return id;
  }

  /** Whether all documents of the batches so far were taken. */
  public boolean isBatchTaken() {
    return next == null && ahead == null;
  }

  /**
   * Takes a reply that another call has had for this cursor.
   *
   * @param cursor the field {@code cursor} of the reply
   */
  void receive(RawDocument cursor, String batchField) {
    id = cursor.get("id").toLong();
    RawValue documents = cursor.get(batchField);
    batch = documents == null ? null : documents.elements();
    RawValue token = cursor.get("postBatchResumeToken");
    resumeToken = token == null ? null : token.asDocument();
    step();
  }

  private void step() {
    next = batch != null && batch.next() ? batch.value().asDocument() : null;
  }

  @Override
  public void attach(OperationContext user) {
    operation = user;
  }

  @Override
  public void detach() {
    operation = null;
  }

  @Override
  public RawDocument peek() {
    while (next == null && id != 0 && tailing == Tailing.NONE) {
      fetch(0);
    }
    if (next == null && id != 0 && tailing == Tailing.TAILABLE) {
      fetch(0);
    }
    return next;
  }

  @Override
  public void take() {
    step();
  }

  /** Asks for the next batch already, if the current one is taken; its wait is that of peek. */
  public void fetchAhead() {
    if (next == null && id != 0 && ahead == null) {
      ahead = calls.start(operation, getMore(0));
    }
  }

  /** Whether peek answers at once, be it that there is no more. */
  public boolean isReady() {
    return next != null || id == 0 || (ahead != null && ahead.isDone());
  }

  private void fetch(long awaitMillis) {
    ShardCall call = ahead;
    ahead = null;
    ShardReply reply =
        call == null ? calls.exchange(operation, getMore(awaitMillis)) : call.await(operation);
    if (reply.error() != null) {
      // The shard has closed it, or does so when it misses its client.
      throw reply.error();
    }
    receive(reply.body().get("cursor").asDocument(), "nextBatch");
  }

  private ShardRequest getMore(long awaitMillis) {
    var command = new BsonBuilder();
    command.appendInt64("getMore", id).appendString("collection", namespace.collection());
    if (batchSize > 0) {
      command.appendInt64("batchSize", batchSize);
    }
    if (awaitMillis > 0) {
      command.appendInt64("maxTimeMS", awaitMillis);
    }
    return ShardRequest.cursor(shard, host, namespace.database(), command.toDocument());
  }

  @Override
  public boolean isExhausted() {
    return next == null && id == 0;
  }

  @Override
  public boolean isTailable() {
    return tailing != Tailing.NONE;
  }

  @Override
  public boolean awaitsData() {
    return tailing == Tailing.AWAIT_DATA || tailing == Tailing.CHANGE_STREAM;
  }

  @Override
  public boolean isChangeStream() {
    return tailing == Tailing.CHANGE_STREAM;
  }

  @Override
  public void awaitMore(long timeoutMillis) {
    if (next == null && id != 0) {
      fetch(timeoutMillis);
    }
  }

  @Override
  public RawDocument postBatchResumeToken() {
    return resumeToken;
  }

  @Override
  public void close() {
    if (ahead != null) {
      ahead.cancel();
      ahead = null;
    }
    if (id != 0) {
      calls.killCursor(shard, host, namespace, id);
      id = 0;
    }
    next = null;
  }
}
