package dev.wisent.database.cursor;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.operation.FindRequest.Tailing;
import dev.wisent.database.operation.ResultCursor;
import dev.wisent.database.plan.RecordSource;
import dev.wisent.storage.Snapshot;
import dev.wisent.storage.StorageEngine;

/** The results of a find: skip, limit and the shape of documents over a source of records. */
public final class FindCursor implements ResultCursor {
  private final StorageEngine storage;
  private final Collection collection;
  private final RecordSource source;
  private final ResultShape shape;
  private final Tailing tailing;
  private final BsonBuilder shaped = new BsonBuilder();
  private Snapshot snapshot;
  private OperationContext operation;
  private long toSkip;
  private long left;
  private RawDocument ahead;
  private boolean sourceEnded;
  private boolean detached;
  private long tailVersion;

  /**
   * @param snapshot what the source reads from; null where it needs none
   * @param limit how many documents at most; 0 for all
   */
  public FindCursor(
      StorageEngine storage,
      Collection collection,
      RecordSource source,
      Snapshot snapshot,
      OperationContext operation,
      ResultShape shape,
      long skip,
      long limit,
      Tailing tailing) {
    this.storage = storage;
    this.collection = collection;
    this.source = source;
    this.snapshot = snapshot;
    this.operation = operation;
    this.shape = shape;
    this.toSkip = skip;
    this.left = limit == 0 ? Long.MAX_VALUE : limit;
    this.tailing = tailing;
  }

  @Override
  public RawDocument peek() {
    if (ahead == null && left > 0 && !sourceEnded) {
      ahead = fetch();
    }
    return ahead;
  }

  @Override
  public void take() {
    ahead = null;
    left--;
  }

  private RawDocument fetch() {
    if (tailing == Tailing.AWAIT_DATA) {
      tailVersion = collection.tail().version();
    }
    while (source.next()) {
      if (toSkip > 0) {
        toSkip--;
        continue;
      }
      return shape.isIdentity() ? source.document() : shape.apply(source, shaped);
    }
    if (tailing == Tailing.NONE) {
      sourceEnded = true;
    }
    return null;
  }

  @Override
  public boolean isExhausted() {
    return left == 0 || (sourceEnded && ahead == null) || (isTailable() && collection.isDropped());
  }

  @Override
  public boolean isTailable() {
    return tailing != Tailing.NONE;
  }

  @Override
  public boolean awaitsData() {
    return tailing == Tailing.AWAIT_DATA;
  }

  @Override
  public void awaitMore(long timeoutMillis) {
    long deadlineNanos = operation.clock().monotonicNanos() + timeoutMillis * 1_000_000;
    OperationContext current = operation;
    while (peek() == null && !isExhausted()) {
      long leftMillis = (deadlineNanos - current.clock().monotonicNanos()) / 1_000_000;
      if (leftMillis <= 0) {
        return;
      }
      current.checkNow();
      long seen = tailVersion;
      detach();
      // Short waits, so that a killed operation or a client that has gone is noticed.
      collection.tail().awaitChange(seen, Math.min(leftMillis, 250));
      attach(current);
    }
  }

  @Override
  public void detach() {
    if (ahead != null) {
      ahead = ahead.detached() == ahead ? RawDocument.of(ahead.toByteArray()) : ahead.detached();
    }
    source.suspend();
    closeSnapshot();
    operation = null;
    detached = true;
  }

  @Override
  public void attach(OperationContext under) {
    if (!detached) {
      return;
    }
    detached = false;
    operation = under;
    if (collection.isDropped()) {
      throw new CommandException(
          ErrorCode.QUERY_PLAN_KILLED,
          "collection dropped. Namespace: '" + collection.namespace() + "'");
    }
    snapshot = storage.snapshot();
    source.resume(snapshot, under);
  }

  private void closeSnapshot() {
    if (snapshot != null) {
      snapshot.close();
      snapshot = null;
    }
  }

  @Override
  public void close() {
    source.close();
    closeSnapshot();
  }
}
