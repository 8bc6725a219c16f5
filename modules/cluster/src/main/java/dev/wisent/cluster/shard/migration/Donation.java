package dev.wisent.cluster.shard.migration;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.coordinator.CallNumber;
import dev.wisent.cluster.shard.migration.MigrationFigures.Figure;
import dev.wisent.database.session.SessionCopies;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.OperationProgress;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.wire.DocumentSequence;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A range on its way to another shard. It is in the memory of the donor's primary only: as long as
 * the range is not given up nothing is lost with it. For one thread at a time, which has its lock.
 */
final class Donation implements AutoCloseable {
  private static final int BATCH_DOCUMENTS_MAX = 1000;
  private static final int BATCH_BYTES_MAX = 4 << 20;

  private static final int LATE_DOCUMENTS_MAX = 128;

  private final ReentrantLock lock = new ReentrantLock();
  private final Migration migration;
  private final long term;
  private final Operations documents;
  private final RecipientCalls recipient;
  private final SessionCopies sessions;
  private final MigrationFigures figures;
  private final ShownMigration shown;
  private final CopyPace pace;
  private final Clock clock;
  private final long startNanos;
  private ChangedKeys changes;

  /** Documents that have changed, until the recipient has them: the oplog names them once. */
  private final Set<RawValue> unsent = new LinkedHashSet<>();

  private SessionFeed sessionFeed;
  private long attempt;
  private long calls;
  private long sent;
  private long sentBytes;
  private boolean steady;

  /**
   * @param term the closings of the gate at the beginning
   */
  Donation(
      Migration migration,
      long term,
      Operations documents,
      RecipientCalls recipient,
      SessionCopies sessions,
      MigrationFigures figures,
      ShownMigration.Shown shown,
      ForegroundPace pace,
      Clock clock) {
    this.migration = migration;
    this.term = term;
    this.documents = documents;
    this.recipient = recipient;
    this.sessions = sessions;
    this.figures = figures;
    this.shown = ShownMigration.ofDonor(migration, shown, clock);
    this.pace = new CopyPace(pace);
    this.clock = clock;
    this.startNanos = clock.monotonicNanos();
  }

  ReentrantLock lock() {
    return lock;
  }

  Migration migration() {
    return migration;
  }

  long term() {
    return term;
  }

  /** Whether only what is changed from now on is missing on the recipient. */
  boolean isSteady() {
    return steady;
  }

  void steady() {
    steady = true;
  }

  MigrationSteps steps() {
    return shown.steps();
  }

  /** Estimates what there is to copy from some of its documents. */
  void expect(long count, List<RawDocument> some) {
    long bytes = some.stream().mapToLong(RawDocument::length).sum();
    shown.expect(count, some.isEmpty() ? 0 : bytes / some.size() * count);
  }

  void decided() {
    shown.decided();
  }

  long documentsSent() {
    return sent;
  }

  long bytesSent() {
    return sentBytes;
  }

  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(clock.monotonicNanos() - startNanos);
  }

  RawDocument call(OperationContext operation, String command, Consumer<BsonBuilder> arguments) {
    shown.check();
    return call(operation, command, arguments, List.of());
  }

  private RawDocument call(
      OperationContext operation,
      String command,
      Consumer<BsonBuilder> arguments,
      List<DocumentSequence> sequences) {
    var number = new CallNumber(attempt, ++calls);
    return recipient.call(
        operation,
        migration,
        command,
        body -> {
          number.append(body);
          arguments.accept(body);
        },
        sequences);
  }

  /**
   * Begins to note changes; before the first document is read.
   *
   * @param number that of the attempt
   */
  void begin(long number, ChangedKeys noted) {
    attempt = number;
    changes = noted;
    sessionFeed = new SessionFeed(sessions);
  }

  /** Sends all documents of the range. */
  void clone(OperationContext operation, RangeCopy copy, long expected) {
    var progress = new OperationProgress("moveRange: cloning", expected);
    operation.progress(progress);
    while (true) {
      long begin = clock.monotonicNanos();
      List<RawDocument> batch = copy.next(pace.documentsMax(), pace.bytesMax());
      if (batch.isEmpty()) {
        return;
      }
      long asked = send(operation, batch, false);
      batch.forEach(each -> progress.advance());
      long pause = pace.afterBatch(operation, begin, asked);
      figures.add(Figure.PAUSE_MILLIS, TimeUnit.NANOSECONDS.toMillis(pause));
    }
  }

  /** How long the recipient asks to pause, in nanoseconds. */
  private long send(OperationContext operation, List<RawDocument> batch, boolean late) {
    if (batch.isEmpty()) {
      return 0;
    }
    shown.check();
    RawDocument reply =
        call(
            operation,
            "_shardsvrRecvDocuments",
            body -> body.appendBoolean("late", late),
            List.of(new DocumentSequence("documents", List.copyOf(batch))));
    long bytes = batch.stream().mapToLong(RawDocument::length).sum();
    sent += batch.size();
    sentBytes += bytes;
    shown.copied(batch.size(), bytes);
    figures.add(Figure.DOCUMENTS_SENT, batch.size());
    figures.add(Figure.BYTES_SENT, bytes);
    return TimeUnit.MICROSECONDS.toNanos(DocumentFields.number(reply, "pauseMicros"));
  }

  /**
   * Sends what has become of documents that were changed since the last time.
   *
   * @param paced whether clients go first, as long as that takes no longer than the rest
   * @return whether the end of the oplog was reached
   */
  boolean catchUp(OperationContext operation, boolean paced) {
    shown.check();
    changes.next(operation, BATCH_DOCUMENTS_MAX, unsent);
    boolean atEnd = unsent.size() < BATCH_DOCUMENTS_MAX;
    while (!unsent.isEmpty()) {
      long begin = clock.monotonicNanos();
      List<RawValue> ids = unsent.stream().limit(LATE_DOCUMENTS_MAX).toList();
      sendLate(operation, ids);
      unsent.removeAll(ids);
      if (paced) {
        pace.afterChanges(operation, begin);
      }
    }
    return atEnd;
  }

  private void sendLate(OperationContext operation, List<RawValue> ids) {
    var there = new ArrayList<RawDocument>();
    var gone = new ArrayList<RawDocument>();
    long bytes = 0;
    for (RawValue id : ids) {
      operation.checkInterrupt();
      RawDocument document = find(operation, id);
      if (document == null || !changes.isInRange(document)) {
        gone.add(DocumentFields.byId(id));
        continue;
      }
      there.add(document);
      bytes += document.length();
      if (bytes >= BATCH_BYTES_MAX) {
        var unused = send(operation, there, true);
        there.clear();
        bytes = 0;
      }
    }
    if (!gone.isEmpty()) {
      call(
          operation,
          "_shardsvrRecvDeletes",
          body -> {},
          List.of(new DocumentSequence("ids", gone)));
    }
    var unused = send(operation, there, true);
  }

  private RawDocument find(OperationContext operation, RawValue id) {
    var filter = new BsonBuilder();
    filter.startDocument("_id").append("$eq", id).end();
    FindRequest request = FindRequest.of(migration.namespace(), filter.toDocument());
    try (ResultCursor found = documents.find(operation, request)) {
      RawDocument document = found.peek();
      return document == null ? null : RawDocument.of(document.toByteArray());
    }
  }

  /** Sends what all sessions have done. */
  void sendAllSessions(OperationContext operation) {
    sessionFeed.sendAll(operation, batch -> sendSessions(operation, batch));
  }

  /** Sends what sessions have done since the last time. */
  void sendSessions(OperationContext operation) {
    sessionFeed.sendChanged(operation, batch -> sendSessions(operation, batch));
  }

  /**
   * Leaves little to send, and nothing to count, for the moment in which writers wait.
   *
   * @param ageNanos how old writes may be on the recipient then
   * @param nanosMax how long the recipient may wait until they are no older
   * @return whether that is so
   */
  boolean prepareEnd(OperationContext operation, long ageNanos, long nanosMax) {
    sendSessions(operation);
    RawDocument reply =
        call(
            operation,
            "_shardsvrRecvCalm",
            body -> {
              body.appendInt64("ageMicros", TimeUnit.NANOSECONDS.toMicros(ageNanos));
              body.appendInt64("waitMicros", TimeUnit.NANOSECONDS.toMicros(nanosMax));
            });
    return DocumentFields.isTrue(reply, "calm");
  }

  private void sendSessions(OperationContext operation, List<RawDocument> batch) {
    call(
        operation,
        "_shardsvrRecvSessions",
        body -> {},
        List.of(new DocumentSequence("sessions", List.copyOf(batch))));
  }

  @Override
  public void close() {
    steady = false;
    shown.close();
    if (changes != null) {
      changes.close();
      changes = null;
      sessionFeed.close();
    }
  }
}
