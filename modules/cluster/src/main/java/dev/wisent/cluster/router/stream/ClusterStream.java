package dev.wisent.cluster.router.stream;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.changestream.ResumeToken;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The streams of all shards as one, in the order of their tokens. An event is given when every
 * shard, and the list of shards, has passed it (rule H16): so the order is the same for every
 * reader, and no shard that joins comes too late.
 */
final class ClusterStream implements ResultCursor {
  /** How long shards wait for events where no client does. */
  private static final long AHEAD_MILLIS = 1000;

  /** How long a client's wait goes on without a look at what it waits for. */
  private static final long LOOK_MILLIS = 1000;

  private final StreamInputs inputs;

  /** The place to go on after, which one of the shards must have; null where it is found. */
  private ResumeToken resume;

  private final Semaphore come = new Semaphore(0);
  private OperationContext operation;
  private StreamInput current;

  /** The place of the last event that was taken, or a later one that has no events before it. */
  private ResumeToken last;

  private boolean ended;

  /**
   * @param start where the stream begins, or the place that it goes on after
   */
  ClusterStream(StreamInputs inputs, ResumeToken start, OperationContext operation) {
    this.inputs = inputs;
    this.last = start;
    this.resume = start.isHighWaterMark() ? null : start;
    this.operation = operation;
  }

  @Override
  public RawDocument peek() {
    if (current == null && !ended) {
      inputs.receive(operation);
      findResume();
      requireFound(inputs.passed());
      current = nextInput();
      if (current == null) {
        inputs.fetch(operation, AHEAD_MILLIS, come::release);
      }
    }
    return current == null ? null : current.next();
  }

  /** The place of what {@link #peek} shows. */
  ResumeToken token() {
    return current.nextToken();
  }

  /** The input whose next event all others have passed; null if there is none. */
  private StreamInput nextInput() {
    StreamInput first = inputs.first();
    if (first != null && inputs.havePassed(first.nextToken())) {
      requireFound(first.nextToken());
      return first;
    }
    ended = inputs.isEnded();
    if (ended) {
      last = later(inputs.passed());
    }
    return null;
  }

  /** A shard that has the place to go on after gives an event that is nothing but this place. */
  private void findResume() {
    if (resume != null && inputs.takeAnnounced(resume)) {
      resume = null;
    }
  }

  private void requireFound(ResumeToken passed) {
    if (resume != null && passed.compareTo(resume) > 0) {
      throw new CommandException(
          ErrorCode.CHANGE_STREAM_FATAL_ERROR,
          "cannot resume stream; the resume token was not found. " + passed);
    }
  }

  @Override
  public void take() {
    last = current.nextToken();
    current.take();
    current = null;
    ended = inputs.isEnded();
    if (!ended) {
      inputs.fetch(operation, AHEAD_MILLIS, come::release);
    }
  }

  @Override
  public RawDocument postBatchResumeToken() {
    return place().toDocument();
  }

  /** Where to go on from: all events up to there were given. */
  ResumeToken place() {
    if (resume == null) {
      last = later(inputs.passed());
    }
    return last;
  }

  private ResumeToken later(ResumeToken passed) {
    return passed.compareTo(last) > 0 ? passed : last;
  }

  @Override
  public boolean isExhausted() {
    return ended && current == null;
  }

  @Override
  public void awaitMore(long timeoutMillis) {
    long end = operation.clock().monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    operation.wakeup().during(() -> awaitUntil(end), come::release);
  }

  private void awaitUntil(long end) {
    while (peek() == null && !ended) {
      long now = operation.clock().monotonicNanos();
      long left = TimeUnit.NANOSECONDS.toMillis(end - now);
      if (left <= 0) {
        return;
      }
      operation.checkNow();
      inputs.fetch(operation, left, come::release);
      inputs.askBehind(now);
      try {
        var unused = come.tryAcquire(Math.min(left, LOOK_MILLIS), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        throw operation.threadInterrupted();
      }
      come.drainPermits();
    }
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
  public void attach(OperationContext under) {
    operation = under;
  }

  @Override
  public void detach() {
    operation = null;
  }

  @Override
  public void close() {
    inputs.close();
  }
}
