package dev.wisent.cluster.router.stream;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryOperation;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.changestream.ChangeStreamSplitLargeEventStage;
import dev.wisent.pipeline.changestream.ResultTokens;
import dev.wisent.pipeline.changestream.ResumeToken;
import java.util.concurrent.TimeUnit;

/** Adds the newest versions of documents to events, and runs the stages of the pipeline. */
final class LookupCursor implements ResultCursor {
  private static final String FULL_DOCUMENT = "fullDocument";

  private final ClusterStream events;
  private final CurrentVersions versions;
  private final DocumentStream stages;
  private final StageRun run;
  private final QueryOperation query;

  /** Whether large events are split. */
  private final boolean splits;

  /** The part of a split event that the stream goes on after; null for none. */
  private final ResumeToken fragment;

  private OperationContext operation;
  private RawDocument eventId;
  private ResumeToken eventToken;
  private RawDocument ahead;
  private ResumeToken aheadToken;
  private ResumeToken last;

  /** Whether the stages have given everything of the events that they have taken. */
  private boolean drained = true;

  /**
   * @param stages those behind {@code $changeStream}
   * @param start where the stream begins, or the place that it goes on after
   */
  LookupCursor(
      ClusterStream events,
      CurrentVersions versions,
      Pipeline stages,
      StageRun run,
      ResumeToken start,
      OperationContext operation) {
    this.events = events;
    this.versions = versions;
    this.run = run;
    this.query = operation.query();
    this.splits =
        stages.stages().stream().anyMatch(ChangeStreamSplitLargeEventStage.class::isInstance);
    this.operation = operation;
    this.last = start;
    this.fragment = start.isHighWaterMark() ? null : start;
    this.stages = stages.over(this::nextEvent, 0, run);
  }

  private RawDocument nextEvent() {
    RawDocument event = events.peek();
    if (event == null) {
      drained = true;
      return null;
    }
    drained = false;
    eventToken = events.token();
    eventId = event.get("_id").asDocument();
    if (!splits && fragment != null && fragment.isFragmentOf(eventToken)) {
      throw ResultTokens.notSplit();
    }
    RawDocument completed = completed(event);
    events.take();
    return completed;
  }

  private RawDocument completed(RawDocument event) {
    RawValue type = event.get("operationType");
    boolean update = type != null && type.isString() && type.asString().equals("update");
    if (!update || event.get(FULL_DOCUMENT) != null) {
      return event;
    }
    RawDocument place = event.get("ns").asDocument();
    RawDocument found =
        versions.find(
            operation,
            new Namespace(place.get("db").asString(), place.get("coll").asString()),
            eventToken.uuid(),
            event.get("documentKey").asDocument(),
            eventToken.clusterTime());
    var out = new BsonBuilder(event.length() + (found == null ? 0 : found.length()) + 32);
    ElementCursor fields = event.elements();
    while (fields.next()) {
      if (fields.name().equals("ns")) {
        out.append(FULL_DOCUMENT, found == null ? RawValue.NULL : RawValue.ofDocument(found));
      }
      out.appendElement(fields);
    }
    return out.toDocument();
  }

  @Override
  public RawDocument peek() {
    while (ahead == null) {
      RawDocument result = stages.next();
      if (result == null) {
        return null;
      }
      ResumeToken token = ResultTokens.of(result, eventToken, eventId);
      if (!ResultTokens.isBefore(token, eventToken, fragment)) {
        checkSize(result);
        ahead = result;
        aheadToken = token;
      }
    }
    return ahead;
  }

  private static void checkSize(RawDocument result) {
    if (result.length() > Limits.DOCUMENT_BYTES_MAX_INTERNAL) {
      throw new CommandException(
          ErrorCode.BSON_OBJECT_TOO_LARGE,
          "BSONObj size: %1$d (0x%1$X) is invalid. Size must be between 0 and %2$d(16MB)"
              .formatted(result.length(), Limits.DOCUMENT_BYTES_MAX_INTERNAL));
    }
  }

  @Override
  public void take() {
    last = aheadToken;
    ahead = null;
    // Parts of the same event may follow.
    drained = !last.isFragmentOf(eventToken);
  }

  @Override
  public RawDocument postBatchResumeToken() {
    if (ahead == null && drained && events.place().compareTo(last) > 0) {
      last = events.place();
    }
    return last.toDocument();
  }

  @Override
  public boolean isExhausted() {
    return ahead == null && drained && events.isExhausted();
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

  /** Events may come of which the stages make nothing. */
  @Override
  public void awaitMore(long timeoutMillis) {
    long end = operation.clock().monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    long left = timeoutMillis;
    while (left > 0 && peek() == null && !isExhausted()) {
      events.awaitMore(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - operation.clock().monotonicNanos());
    }
  }

  @Override
  public void attach(OperationContext under) {
    operation = under;
    query.moveTo(under);
    events.attach(under);
  }

  @Override
  public void detach() {
    if (ahead != null) {
      ahead = RawDocument.of(ahead.toByteArray());
    }
    operation = null;
    events.detach();
  }

  @Override
  public void close() {
    run.close();
    events.close();
  }
}
