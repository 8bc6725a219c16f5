package dev.wisent.database.changestream;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.changestream.ResultTokens;
import dev.wisent.pipeline.changestream.ResumeToken;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The results of a stream, of all its stages: each has the token of its event, and every batch the
 * place to go on from.
 */
final class ResumableCursor implements ResultCursor {
  private final ResultCursor results;
  private final EventCursor events;
  private final LongSupplier newest;
  private OperationContext operation;
  private RawDocument ahead;
  private ResumeToken aheadToken;
  private ResumeToken last;

  /** The time of the last place that the client was told. */
  private long told;

  /** Whether what is ahead only tells the router that the place to go on after is here. */
  private boolean announcing;

  /**
   * @param results what the stages make of the events
   * @param newest the timestamp of the newest entry
   * @param start where the stream begins
   */
  ResumableCursor(
      ResultCursor results,
      EventCursor events,
      LongSupplier newest,
      ResumeToken start,
      OperationContext operation) {
    this.results = results;
    this.events = events;
    this.newest = newest;
    this.last = start;
    this.operation = operation;
  }

  @Override
  public RawDocument peek() {
    while (ahead == null) {
      RawDocument result = results.peek();
      ResumeToken found = events.isMerged() ? events.takeFound() : null;
      if (found != null) {
        announcing = true;
        aheadToken = found;
        ahead = new BsonBuilder().appendDocument("_id", found.toDocument()).toDocument();
        return ahead;
      }
      if (result == null) {
        return null;
      }
      ResumeToken token = ResultTokens.of(result, events.token(), events.id());
      if (ResultTokens.isBefore(token, events.token(), events.resumeFragment())) {
        results.take();
      } else {
        ahead = result;
        aheadToken = token;
      }
    }
    return ahead;
  }

  @Override
  public void take() {
    if (!announcing) {
      results.take();
    }
    announcing = false;
    last = aheadToken;
    ahead = null;
  }

  @Override
  public RawDocument postBatchResumeToken() {
    if (isExhausted() && events.token().compareTo(last) > 0) {
      last = events.token(); // Of the invalidate, which a stage may have left out.
    }
    ResumeToken scanned = ResumeToken.highWaterMark(events.scanned());
    if (scanned.compareTo(last) > 0) {
      last = scanned;
    }
    told = last.clusterTime();
    return last.toDocument();
  }

  @Override
  public long newestTime() {
    return newest.getAsLong();
  }

  @Override
  public boolean hasGiven(long time) {
    return ahead == null && Long.compareUnsigned(events.passed(), time) >= 0;
  }

  @Override
  public boolean isExhausted() {
    return ahead == null && results.isExhausted();
  }

  @Override
  public boolean isChangeStream() {
    return true;
  }

  @Override
  public boolean isTailable() {
    return true;
  }

  @Override
  public boolean awaitsData() {
    return true;
  }

  @Override
  public void awaitMore(long timeoutMillis) {
    long end = operation.clock().monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    operation.wakeup().during(() -> awaitUntil(end), events::wake);
  }

  private void awaitUntil(long end) {
    while (peek() == null && !isExhausted() && !isAwaited()) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - operation.clock().monotonicNanos());
      if (left <= 0) {
        return;
      }
      operation.checkNow();
      events.awaitMore(operation.millisLeft(left));
    }
  }

  /** Whether a router waits to be told that a time is passed, and it is. */
  private boolean isAwaited() {
    if (!events.isMerged()) {
      return false;
    }
    long awaited = events.awaited();
    return Long.compareUnsigned(awaited, told) > 0
        && Long.compareUnsigned(events.scanned(), awaited) >= 0;
  }

  @Override
  public void attach(OperationContext under) {
    operation = under;
    results.attach(under);
  }

  @Override
  public void detach() {
    operation = null;
    if (!announcing) {
      ahead = null; // The results keep it.
    }
    results.detach();
  }

  @Override
  public void close() {
    results.close();
  }
}
