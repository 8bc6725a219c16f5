package dev.wisent.database.changestream;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.changestream.ResumeToken;
import java.util.Set;

/** The events of a stream, before any other stage. Ends with an invalidate. */
final class EventCursor implements ResultCursor {
  /** Events that every stream has; the others are for those that ask for more. */
  private static final Set<String> CLASSIC =
      Set.of("insert", "update", "replace", "delete", "drop", "rename", "dropDatabase");

  private final OplogSource source;
  private final StreamSettings settings;
  private final EntryChanges changes;
  private OperationContext operation;

  /** The place to go on after; null once the stream is past it. */
  private ResumeToken resume;

  private boolean resumeFound;

  /** That place, found and not told to the router yet; null for nothing to tell. */
  private ResumeToken found;

  /** The part of a split event to go on after; null for none. */
  private ResumeToken resumeFragment;

  private RawDocument ahead;
  private RawDocument invalidate;
  private ResumeToken invalidateToken;
  private ResumeToken token;
  private RawDocument id;
  private boolean invalidated;

  EventCursor(OplogSource source, StreamSettings settings, OperationContext operation) {
    this.source = source;
    this.settings = settings;
    this.operation = operation;
    this.changes = new EntryChanges(source);
    ResumeToken start = settings.stage().resumeToken();
    this.resume = start == null || start.isHighWaterMark() ? null : start;
  }

  @Override
  public RawDocument peek() {
    if (ahead == null) {
      ahead = fetch();
    }
    return ahead;
  }

  @Override
  public void take() {
    ahead = null;
  }

  private RawDocument fetch() {
    while (!invalidated) {
      if (invalidate != null) {
        invalidated = true;
        token = invalidateToken;
        id = token.toDocument();
        return invalidate;
      }
      OplogChange change = changes.next();
      if (change == null) {
        operation.checkInterrupt();
        RawDocument entry = source.next();
        if (entry == null) {
          return null;
        }
        operation.examined(0, 1);
        changes.start(entry, source.timestamp());
        continue;
      }
      ChangeEvent event = settings.reader().read(change);
      RawDocument document = event == null ? null : document(event);
      if (document != null) {
        return document;
      }
    }
    return null;
  }

  /** Null if the event is not for the client. */
  private RawDocument document(ChangeEvent event) {
    // A token is made where it is needed: most events of a stream with a filter are left out.
    boolean passed = resume == null || isPassed(event.token());
    boolean wanted =
        passed
            && (settings.stage().showExpandedEvents() || isClassic(event))
            && settings.filter().matches(event);
    if (settings.scope().isEndedBy(event.operationType())) {
      ResumeToken end = event.token().ofInvalidate();
      if (isPassed(end)) {
        invalidateToken = end;
        invalidate = EventDocument.invalidate(end, event);
      }
    }
    if (!wanted) {
      return null;
    }
    token = event.token();
    id = token.toDocument();
    var images = settings.images().new OfEvent(event, operation);
    return settings.documents().write(event, id, images.after(), images.before());
  }

  /** An event of a view has no uuid of its own, and is none that every stream has. */
  private static boolean isClassic(ChangeEvent event) {
    return CLASSIC.contains(event.operationType()) && !event.isOfView();
  }

  /** Whether a place is behind the one that the stream goes on after. */
  private boolean isPassed(ResumeToken place) {
    if (resume == null) {
      return true;
    }
    if (place.equals(resume)) {
      resumeFound = true;
      found = resume;
      return false;
    }
    if (resume.isFragmentOf(place)) {
      resumeFragment = settings.requireSplit(resume);
      found = resume;
      resume = null;
      return true;
    }
    if (place.compareTo(resume) < 0) {
      return false;
    }
    if (!resumeFound && !settings.stage().merged()) {
      throw new CommandException(
          ErrorCode.CHANGE_STREAM_FATAL_ERROR,
          "cannot resume stream; the resume token was not found. " + place);
    }
    resume = null;
    return true;
  }

  /** The place of the last event that was peeked. */
  ResumeToken token() {
    return token;
  }

  /** The same as the event has it. */
  RawDocument id() {
    return id;
  }

  /** The place that the stream goes on after, once, when it was found; null otherwise. */
  ResumeToken takeFound() {
    ResumeToken taken = found;
    found = null;
    return taken;
  }

  /** Whether a router merges the stream with those of other shards. */
  boolean isMerged() {
    return settings.stage().merged();
  }

  /** The time that a merged stream is to pass and tell of; 0 for none. */
  long awaited() {
    return source.awaited();
  }

  /** The part of a split event that the stream goes on after; null for none. */
  ResumeToken resumeFragment() {
    return resumeFragment;
  }

  /** The timestamp of the last entry that was looked at; 0 if there was none. */
  long scanned() {
    return source.timestamp();
  }

  /** The time up to which all entries were looked at, or left out. */
  long passed() {
    return source.passed();
  }

  @Override
  public boolean isExhausted() {
    return invalidated && ahead == null;
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
    try {
      source.await(timeoutMillis);
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    }
  }

  /** Ends the wait for more, or the next one. */
  void wake() {
    source.wake();
  }

  @Override
  public void attach(OperationContext under) {
    operation = under;
  }

  @Override
  public void detach() {
    source.detach();
    operation = null;
  }

  @Override
  public void close() {
    source.close();
  }
}
