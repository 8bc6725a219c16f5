package dev.wisent.cluster.shard.resharding;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.coordinator.CallNumber;
import dev.wisent.cluster.shard.migration.ChangedKeys;
import dev.wisent.cluster.shard.migration.CopyPace;
import dev.wisent.cluster.shard.migration.ForegroundPace;
import dev.wisent.cluster.shard.migration.RangeCopy;
import dev.wisent.cluster.shard.migration.RecipientCalls;
import dev.wisent.cluster.shard.migration.SessionFeed;
import dev.wisent.database.session.SessionCopies;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.OperationProgress;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.wire.DocumentSequence;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a donor has of a collection, on its way to the shards of its new key. It is in the memory of
 * the donor's primary only. For one thread at a time, which has its lock.
 */
final class ReshardDonation implements AutoCloseable {
  private static final int CHANGES_MAX = 1000;
  private static final int CHANGED_BYTES_MAX = 4 << 20;
  private static final int CONFLICTS_MAX = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Resharding resharding;
  private final long term;
  private final Operations documents;
  private final RecipientCalls calls;
  private final SessionCopies sessions;
  private final ReshardingFigures figures;
  private final CopyPace pace;
  private final Clock clock;
  private final Set<String> recipients;
  private final long startNanos;

  /** What this shard owns; null where it has the whole collection. */
  private OwnedRanges owned;

  private long attempt;
  private long callsMade;
  private ChangedKeys changes;
  private SessionFeed sessionFeed;

  /** Documents that have changed, until the recipients have them: the oplog names them once. */
  private final Set<RawValue> unsent = new LinkedHashSet<>();

  /** Documents that a recipient could not take, as it has another one with a unique key. */
  private final Set<RawValue> conflicts = new LinkedHashSet<>();

  private String conflict = "";
  private boolean steady;
  private boolean closed;

  // Read by any thread.
  private volatile DonorState state = DonorState.COPYING;
  private volatile long expected;
  private volatile OperationContext running;
  private final AtomicLong copied = new AtomicLong();
  private final AtomicLong copiedBytes = new AtomicLong();
  private final AtomicLong caughtUp = new AtomicLong();

  /**
   * @param term the closings of the gate at the beginning
   */
  ReshardDonation(
      Resharding resharding,
      long term,
      Operations documents,
      RecipientCalls calls,
      SessionCopies sessions,
      ReshardingFigures figures,
      ForegroundPace pace,
      Clock clock) {
    this.figures = figures;
    this.pace = new CopyPace(pace);
    this.resharding = resharding;
    this.term = term;
    this.documents = documents;
    this.calls = calls;
    this.sessions = sessions;
    this.clock = clock;
    this.recipients = new TreeSet<>(resharding.table().shards());
    this.startNanos = clock.monotonicNanos();
  }

  ReentrantLock lock() {
    return lock;
  }

  long term() {
    return term;
  }

  Resharding resharding() {
    return resharding;
  }

  /** Whether only what is changed from now on is missing on the recipients. */
  boolean isSteady() {
    return steady;
  }

  boolean isClosed() {
    return closed;
  }

  /** The operation that works for it; null for none. */
  OperationContext running() {
    return running;
  }

  void running(OperationContext operation) {
    running = operation;
  }

  long documentsCopied() {
    return copied.get();
  }

  long bytesCopied() {
    return copiedBytes.get();
  }

  long changesSent() {
    return caughtUp.get();
  }

  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(clock.monotonicNanos() - startNanos);
  }

  /** Sets how many documents there are to copy. */
  void expect(long count) {
    expected = count;
  }

  /** Writers wait from now on, until the state is another one. */
  void blocking() {
    state = DonorState.BLOCKING;
  }

  /** Has currentOp show it as a part of an operation. */
  OperationProgress show(OperationContext operation) {
    var progress =
        new OperationProgress("reshardCollection: cloning", expected).details(this::progress);
    operation.progress(progress);
    return progress;
  }

  /** With MongoDB's names. */
  private RawDocument progress() {
    var out = new BsonBuilder();
    long count = expected;
    long done = copied.get();
    long millis = millis();
    out.appendDocument("originatingCommand", resharding.originatingCommand());
    out.appendString("donorState", state.text());
    out.appendInt64("totalOperationTimeElapsedSecs", TimeUnit.MILLISECONDS.toSeconds(millis));
    if (done > 0) {
      long left = Math.max(0, count - done) * millis / done;
      out.appendInt64("remainingOperationTimeEstimatedSecs", TimeUnit.MILLISECONDS.toSeconds(left));
    }
    out.appendInt64("approxDocumentsToCopy", count);
    out.appendInt64("documentsCopied", done);
    out.appendInt64("bytesCopied", copiedBytes.get());
    return out.toDocument();
  }

  int conflicts() {
    return conflicts.size();
  }

  /** Why the last document was not taken. */
  String conflict() {
    return conflict;
  }

  /** Begins to note changes, and tells the recipients. Before the first document is read. */
  void begin(OperationContext operation, OwnedRanges ownedHere, long number, ChangedKeys noted) {
    owned = ownedHere;
    attempt = number;
    changes = noted;
    sessionFeed = new SessionFeed(sessions);
    for (String recipient : recipients) {
      calls.call(operation, recipient, command("_shardsvrReshardStart").toDocument(), List.of());
    }
  }

  private BsonBuilder command(String name) {
    var out = new BsonBuilder(512).appendString(name, resharding.target().namespace().full());
    out.appendUuid("id", resharding.id()).appendUuid("uuid", resharding.target().uuid());
    out.appendString("donor", resharding.donor());
    new CallNumber(attempt, ++callsMade).append(out);
    if (owned != null) {
      out.appendDocument("key", owned.key().pattern());
      out.startArray("ranges");
      List<ChunkRange> ranges = owned.ranges();
      for (int i = 0; i < ranges.size(); i++) {
        out.startDocument(i);
        ranges.get(i).append(out);
        out.end();
      }
      out.end();
    }
    return out;
  }

  /** Sends what is read; it is of this shard's own documents. */
  void copy(OperationContext operation, RangeCopy source, OperationProgress progress) {
    var batches = new LinkedHashMap<String, ReshardBatch>();
    while (true) {
      long begin = clock.monotonicNanos();
      int documentsMax = pace.documentsMax();
      long bytesMax = pace.bytesMax();
      List<RawDocument> read = source.next(documentsMax, bytesMax);
      for (RawDocument document : read) {
        progress.advance();
        String recipient = resharding.recipientOf(document);
        batches.computeIfAbsent(recipient, any -> new ReshardBatch()).add(document);
      }
      long asked = 0;
      for (Map.Entry<String, ReshardBatch> each : batches.entrySet()) {
        ReshardBatch batch = each.getValue();
        if (read.isEmpty() || batch.isFull(documentsMax, bytesMax)) {
          asked = Math.max(asked, sendCopied(operation, each.getKey(), batch));
          batch.clear();
        }
      }
      if (read.isEmpty()) {
        return;
      }
      figures.paused(pace.afterBatch(operation, begin, asked));
    }
  }

  private long sendCopied(OperationContext operation, String recipient, ReshardBatch batch) {
    long asked = send(operation, recipient, batch);
    copied.addAndGet(batch.documents().size());
    copiedBytes.addAndGet(batch.bytes());
    return asked;
  }

  /**
   * Documents that are not taken are sent again later. Returns the pause to make, in nanoseconds.
   */
  private long send(OperationContext operation, String recipient, ReshardBatch batch) {
    if (batch.isEmpty()) {
      return 0;
    }
    RawDocument reply =
        calls.call(
            operation,
            recipient,
            command("_shardsvrReshardDocuments").toDocument(),
            List.of(
                new DocumentSequence("ids", batch.gone()),
                new DocumentSequence("documents", batch.documents())));
    batch.documents().forEach(document -> conflicts.remove(document.get("_id")));
    for (RawDocument each : DocumentFields.documents(reply, "conflicts")) {
      conflicts.add(each.detached().get("_id"));
      conflict = DocumentFields.text(reply, "conflict");
    }
    if (conflicts.size() > CONFLICTS_MAX) {
      throw new CommandException(ErrorCode.DUPLICATE_KEY, conflict);
    }
    return TimeUnit.MICROSECONDS.toNanos(DocumentFields.number(reply, "pauseMicros"));
  }

  void steady() {
    steady = true;
    state = DonorState.CATCHING_UP;
  }

  /**
   * Sends what has become of documents that were changed since the last time; one batch.
   *
   * @param paced whether clients go first, as long as that takes no longer than the rest
   * @return whether the end of the oplog was reached
   */
  boolean catchUp(OperationContext operation, boolean paced) {
    if (paced) {
      state = DonorState.CATCHING_UP;
    }
    long begin = clock.monotonicNanos();
    changes.next(operation, CHANGES_MAX, unsent);
    resend(operation, unsent);
    caughtUp.addAndGet(unsent.size());
    boolean atEnd = unsent.size() < CHANGES_MAX;
    if (paced && !unsent.isEmpty()) {
      pace.afterChanges(operation, begin);
    }
    unsent.clear();
    return atEnd;
  }

  /** Tries again what could not be taken. */
  void resendConflicts(OperationContext operation) {
    resend(operation, List.copyOf(conflicts));
  }

  private void resend(OperationContext operation, Collection<RawValue> ids) {
    Map<String, ReshardBatch> batches = new LinkedHashMap<>();
    recipients.forEach(recipient -> batches.put(recipient, new ReshardBatch()));
    for (RawValue id : ids) {
      operation.checkInterrupt();
      RawDocument document = find(operation, id);
      String target = document == null ? null : resharding.recipientOf(document);
      if (target == null) {
        conflicts.remove(id);
      }
      batches.forEach(
          (recipient, batch) -> {
            // Also where it stays: the version that is there gives way to the newest.
            batch.addGone(DocumentFields.byId(id));
            if (recipient.equals(target)) {
              batch.add(document);
            }
          });
      if (target != null && batches.get(target).isFull(CHANGES_MAX, CHANGED_BYTES_MAX)) {
        sendAll(operation, batches);
        batches.values().forEach(ReshardBatch::clear);
      }
    }
    sendAll(operation, batches);
  }

  private void sendAll(OperationContext operation, Map<String, ReshardBatch> batches) {
    for (Map.Entry<String, ReshardBatch> each : batches.entrySet()) {
      var unused = send(operation, each.getKey(), each.getValue());
    }
  }

  /** Null where this shard has none that it owns. */
  private RawDocument find(OperationContext operation, RawValue id) {
    var filter = new BsonBuilder();
    filter.startDocument("_id").append("$eq", id).end();
    FindRequest request = FindRequest.of(resharding.namespace(), filter.toDocument());
    try (ResultCursor found = documents.find(operation, request)) {
      RawDocument document = found.peek();
      return document == null || (owned != null && !owned.owns(document))
          ? null
          : RawDocument.of(document.toByteArray());
    }
  }

  /** Sends what sessions have done to the other shards. */
  void sendAllSessions(OperationContext operation) {
    sessionFeed.sendAll(operation, batch -> sendSessions(operation, batch));
  }

  /** Sends what sessions have done since the last time to the other shards. */
  void sendSessions(OperationContext operation) {
    sessionFeed.sendChanged(operation, batch -> sendSessions(operation, batch));
  }

  private void sendSessions(OperationContext operation, List<RawDocument> batch) {
    for (String recipient : recipients) {
      if (!recipient.equals(resharding.donor())) {
        calls.call(
            operation,
            recipient,
            command("_shardsvrReshardSessions").toDocument(),
            List.of(new DocumentSequence("sessions", List.copyOf(batch))));
      }
    }
  }

  @Override
  public void close() {
    steady = false;
    closed = true;
    if (changes != null) {
      changes.close();
      changes = null;
      sessionFeed.close();
    }
  }
}
