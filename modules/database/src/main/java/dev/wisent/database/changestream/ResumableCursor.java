package dev.wisent.database.changestream;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.changestream.ResumeToken;
import java.util.concurrent.TimeUnit;

/**
 * The results of a stream, of all its stages: each has the token of its event, and every batch the
 * place to go on from.
 */
final class ResumableCursor implements ResultCursor {
  private final ResultCursor results;
  private final EventCursor events;
  private OperationContext operation;
  private RawDocument ahead;
  private ResumeToken aheadToken;
  private ResumeToken last;

  /**
   * @param results what the stages make of the events
   * @param start where the stream begins
   */
  ResumableCursor(
      ResultCursor results, EventCursor events, ResumeToken start, OperationContext operation) {
    this.results = results;
    this.events = events;
    this.last = start;
    this.operation = operation;
  }

  @Override
  public RawDocument peek() {
    while (ahead == null) {
      RawDocument result = results.peek();
      if (result == null) {
        return null;
      }
      ResumeToken token = token(result);
      if (isBeforeStart(token)) {
        results.take();
      } else {
        ahead = result;
        aheadToken = token;
      }
    }
    return ahead;
  }

  private ResumeToken token(RawDocument result) {
    RawValue id = result.get("_id");
    if (id != null && id.isDocument()) {
      if (id.asDocument().equals(events.id())) {
        return events.token();
      }
      if (result.get("splitEvent") != null) {
        ResumeToken fragment = ResumeToken.parse(id.asDocument());
        if (fragment.isFragmentOf(events.token())) {
          return fragment;
        }
      }
    }
    throw new CommandException(
        ErrorCode.CHANGE_STREAM_FATAL_ERROR,
        "Encountered an event whose _id field, which contains the resume token, was modified by the"
            + " pipeline. Modifying the _id field of an event makes it impossible to resume the"
            + " stream from that point. Only transformations that retain the unmodified _id field"
            + " are allowed. Expected: { \"_id\" : "
            + events.token()
            + " } but found: "
            + (id == null ? "{ \"_id\" : MISSING }" : "{ \"_id\" : " + id + " }"));
  }

  /** Of the event that the client has a part of already, only the parts after it are given. */
  private boolean isBeforeStart(ResumeToken token) {
    ResumeToken start = events.resumeFragment();
    if (start == null || !start.isFragmentOf(events.token())) {
      return false;
    }
    if (token.equals(events.token())) {
      throw new CommandException(
          ErrorCode.CHANGE_STREAM_FATAL_ERROR,
          "Attempted to resume from a split event fragment, but the event in the resumed stream was"
              + " not large enough to be split");
    }
    return token.compareTo(start) <= 0;
  }

  @Override
  public void take() {
    results.take();
    last = aheadToken;
    ahead = null;
  }

  @Override
  public RawDocument postBatchResumeToken() {
    ResumeToken scanned = ResumeToken.highWaterMark(events.scanned());
    if (scanned.compareTo(last) > 0) {
      last = scanned;
    }
    return last.toDocument();
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
    while (peek() == null && !isExhausted()) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - operation.clock().monotonicNanos());
      if (left <= 0) {
        return;
      }
      operation.checkNow();
      events.awaitMore(operation.millisLeft(left));
    }
  }

  @Override
  public void attach(OperationContext under) {
    operation = under;
    results.attach(under);
  }

  @Override
  public void detach() {
    operation = null;
    ahead = null; // The results keep it.
    results.detach();
  }

  @Override
  public void close() {
    results.close();
  }
}
