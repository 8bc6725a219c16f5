package dev.wisent.database.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueOrder;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.index.Index;
import dev.wisent.database.index.IndexEntries;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.OperationProgress;
import dev.wisent.storage.EntrySorter;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.ScanHint;
import dev.wisent.storage.Snapshot;
import dev.wisent.storage.SstIngest;
import dev.wisent.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Fills new indexes of one collection. Readers cannot see them before the definition names them.
 *
 * <p>A large collection is read at a snapshot, its keys are sorted and brought in as files (or
 * through the log where other nodes need them, too), while writers go on; what they change
 * meanwhile is brought in by comparing the snapshot with a newer one, record by record, again and
 * again until little is left. The rest is done under the collection's exclusive lock. A small
 * collection is done under that lock as a whole.
 *
 * <p>Documents that cannot be indexed, and keys that are not unique, fail the build only if they
 * are still there at the end. For one thread, but for {@link #abort} and {@link #awaitEnd}.
 */
final class IndexBuild implements AutoCloseable {
  private static final long NANOS_BETWEEN_REPORTS = 3_000_000_000L;
  private static final int WAIT_MILLIS = 50;
  private static final int STEPS_PER_CHECK = 32;
  private static final int STEPS_PER_CLOCK_READ = 256;
  private static final long SMALL_BYTES_MAX = 4L << 20;

  /** Smaller collections are not worth the trouble: writers wait for as long as it takes. */
  private static final int SMALL_DOCUMENTS_MAX = 1000;

  /** So few changes are left to the end, when writers wait. */
  private static final int REST_MAX = 500;

  private static final int ROUNDS_MAX = 50;

  private final StorageEngine storage;
  private final Collection collection;
  private final OperationContext operation;
  private final IndexBuildListener listener;
  private final BuildBatch batch;
  private final List<IndexDefinition> definitions = new ArrayList<>();
  private final List<Index> indexes = new ArrayList<>();
  private final List<EntryWriter> writers = new ArrayList<>();
  private final List<Integer> idents = new ArrayList<>();
  private final IndexEntries oldEntries;
  private final IndexEntries newEntries;
  private final RecordIdSet notIndexed = new RecordIdSet();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile String abortedBy;
  private boolean publishing;

  /** Null for a small collection. */
  private RecordWatch.Watcher watcher;

  /** The records as the entries show them. */
  private Snapshot indexed;

  private OperationProgress progress;
  private long reportedNanos;
  private int steps;

  IndexBuild(
      StorageEngine storage,
      Collection collection,
      BuildBatch batch,
      OperationContext operation,
      IndexBuildListener listener) {
    this.storage = storage;
    this.collection = collection;
    this.batch = batch;
    this.operation = operation;
    this.listener = listener;
    this.oldEntries = new IndexEntries(operation.query().meter());
    this.newEntries = new IndexEntries(operation.query().meter());
  }

  /**
   * Adds an index to those to build.
   *
   * @param waitingIdent of a unique index: for records whose key another one has
   */
  void add(IndexDefinition definition, int waitingIdent) {
    Index index = Index.open(definition, storage, operation.clock());
    definitions.add(definition);
    indexes.add(index);
    idents.add(definition.ident());
    if (index.isUnique()) {
      idents.add(waitingIdent);
      writers.add(
          new UniqueEntryWriter(storage, collection.namespace(), index, waitingIdent, batch));
    } else {
      writers.add(new OrdinaryEntryWriter(batch));
    }
  }

  List<IndexDefinition> definitions() {
    return definitions;
  }

  /** The indexes, with the arrays that they have met. */
  List<Index> indexes() {
    return indexes;
  }

  /** Everything that the build writes has one of these. */
  List<Integer> idents() {
    return idents;
  }

  OperationContext operation() {
    return operation;
  }

  /** Whether an index has the name or the key of one that is being built. */
  boolean isInTheWayOf(RawDocument spec) {
    return definitions.stream()
        .anyMatch(
            definition ->
                definition.name().equals(spec.get("name").asString())
                    || ValueOrder.equal(definition.key(), spec.get("key").asDocument()));
  }

  /** From now on the definition may name the indexes, also if it fails. */
  void publishing() {
    publishing = true;
  }

  boolean isPublishing() {
    return publishing;
  }

  /** Builds everything. The caller holds the collection's exclusive lock. */
  void runLocked() {
    if (isSmall()) {
      scan(storage, (recordId, document) -> change(recordId, null, document));
    } else {
      indexed = storage.snapshot();
      fill();
    }
    finishLocked();
  }

  /** Whether the collection is so small that its writers may as well wait. */
  boolean isSmall() {
    return collection.documents() <= SMALL_DOCUMENTS_MAX
        && collection.dataBytes() <= SMALL_BYTES_MAX;
  }

  /** From now on writers tell what they change. The caller holds the exclusive lock. */
  void begin() {
    watcher = collection.watch().watch();
    indexed = watcher.next(storage).state();
    operation.stopCheck(this::checkAborted);
  }

  /** Brings in all records as they were at the beginning. No other operation is kept waiting. */
  void fill() {
    List<EntrySorter> sorters = new ArrayList<>();
    try {
      for (int i = 0; i < indexes.size(); i++) {
        sorters.add(new EntrySorter(storage.temporaryFiles(), sortBytesMax() / indexes.size()));
      }
      scan(indexed, (recordId, document) -> sort(recordId, document, sorters));
      for (int i = 0; i < indexes.size(); i++) {
        load(writers.get(i), sorters.get(i));
      }
    } finally {
      sorters.forEach(EntrySorter::close);
    }
  }

  private static int sortBytesMax() {
    return (int) Math.min(Limits.INDEX_BUILD_SORT_BYTES_MAX, Runtime.getRuntime().maxMemory() / 16);
  }

  private interface RecordConsumer {
    void accept(long recordId, RawDocument document);
  }

  private void scan(ReadView view, RecordConsumer consumer) {
    int ident = collection.ident();
    begin("Index Build: scanning collection", collection.documents());
    try (KeyValueCursor records =
        view.cursor(
            Keyspace.RECORDS,
            RecordKeys.lowerBound(ident),
            RecordKeys.upperBound(ident),
            false,
            ScanHint.BULK)) {
      while (records.next()) {
        step();
        consumer.accept(
            RecordKeys.recordId(records.key()),
            new RawDocument(records.value(), 0, records.valueLength()));
      }
    }
  }

  private void sort(long recordId, RawDocument document, List<EntrySorter> sorters) {
    for (int i = 0; i < indexes.size(); i++) {
      collectNew(indexes.get(i), recordId, document);
      for (int entry = 0; entry < newEntries.size(); entry++) {
        sorters
            .get(i)
            .add(
                IndexEntries.withRecordId(newEntries.key(entry), recordId),
                newEntries.typeBits(entry));
      }
    }
  }

  private void load(EntryWriter writer, EntrySorter sorter) {
    begin("Index Build: inserting keys from external sorter into index", sorter.size());
    var sorted = new CountedEntries(sorter.sorted(), this::step);
    if (batch.isReplicated()) {
      writer.load(sorted, batch::putAndFlush);
      batch.flush();
      return;
    }
    try (SstIngest ingest = storage.newIngest(Keyspace.INDEX)) {
      writer.load(sorted, ingest::put);
      batch.throughGate(ingest::ingest);
    }
  }

  /** Brings in what writers change until little is left, or it becomes more instead of less. */
  void catchUp() {
    long before = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS_MAX; round++) {
      long changed = bringInChanges();
      if (changed <= REST_MAX || changed > before / 4 * 3) {
        return;
      }
      before = changed;
    }
  }

  private long bringInChanges() {
    RecordWatch.Changes changes = watcher.next(storage);
    begin("Index Build: draining writes received during build", changes.records().size());
    try (Snapshot before = indexed) {
      indexed = changes.state();
      changes
          .records()
          .forEach(
              recordId -> {
                step();
                change(recordId, read(before, recordId), read(indexed, recordId));
              });
    }
    batch.flush();
    return changes.records().size();
  }

  private RawDocument read(ReadView view, long recordId) {
    byte[] document =
        view.get(Keyspace.RECORDS, RecordKeys.recordKey(collection.ident(), recordId));
    return document == null ? null : RawDocument.of(document);
  }

  /** Brings in the rest and checks everything. The caller holds the exclusive lock. */
  void finishLocked() {
    if (watcher != null) {
      bringInChanges();
    }
    batch.flush();
    notIndexed.forEach(
        recordId -> {
          RawDocument document = read(storage, recordId);
          if (document != null) {
            indexes.forEach(index -> index.collect(document, newEntries));
          }
        });
    writers.forEach(EntryWriter::check);
  }

  /** Makes the entries of a record those of its new document; null where there is none. */
  private void change(long recordId, RawDocument before, RawDocument after) {
    for (int i = 0; i < indexes.size(); i++) {
      oldEntries.fill(indexes.get(i), before);
      collectNew(indexes.get(i), recordId, after);
      if (!oldEntries.sameAs(newEntries)) {
        change(writers.get(i), recordId);
      }
    }
    if (batch.isLarge()) {
      batch.flush();
    }
  }

  private void change(EntryWriter writer, long recordId) {
    for (int i = 0; i < oldEntries.size(); i++) {
      if (newEntries.find(oldEntries.key(i)) < 0) {
        writer.remove(oldEntries.key(i), recordId);
      }
    }
    for (int i = 0; i < newEntries.size(); i++) {
      writer.put(newEntries.key(i), newEntries.typeBits(i), recordId);
    }
  }

  private void collectNew(Index index, long recordId, RawDocument document) {
    if (!newEntries.fill(index, document)) {
      notIndexed.add(recordId);
    }
    List<Index.ArrayMark> marks = index.arrays().missing(newEntries);
    if (!marks.isEmpty()) {
      marks.forEach(batch::mark);
      batch.flush();
      marks.forEach(Index.ArrayMark::persisted);
    }
  }

  private void begin(String name, long total) {
    progress = new OperationProgress(name, total);
    operation.progress(progress);
    reportedNanos = operation.clock().monotonicNanos();
  }

  /** Not each time: a thread that asks lets others go first, also those of other processes. */
  private void step() {
    progress.advance();
    if (steps++ % STEPS_PER_CHECK == 0) {
      operation.checkInterrupt();
    }
    if (steps % STEPS_PER_CLOCK_READ == 0) {
      operation.checkNow();
      long now = operation.clock().monotonicNanos();
      if (now - reportedNanos > NANOS_BETWEEN_REPORTS) {
        reportedNanos = now;
        listener.progress(collection.namespace(), progress);
      }
    }
  }

  /** Ends the build at its next step, unless it is about to be done. */
  void abort(String reason) {
    abortedBy = reason;
  }

  private void checkAborted() {
    if (abortedBy != null) {
      throw new CommandException(
          ErrorCode.INDEX_BUILD_ABORTED,
          "Index build failed: Collection "
              + collection.namespace()
              + " ( "
              + collection.definition().uuid()
              + " ) :: caused by :: "
              + abortedBy);
    }
  }

  /** Waits until the build is over, whatever became of it. */
  void awaitEnd(OperationContext waiting) {
    try {
      while (!ended.await(WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
        waiting.checkNow();
      }
    } catch (InterruptedException e) {
      throw waiting.threadInterrupted();
    }
  }

  /** Writers need not tell any more. */
  @Override
  public void close() {
    operation.stopCheck(null);
    operation.progress(null);
    if (watcher != null) {
      watcher.close();
    }
    if (indexed != null) {
      indexed.close();
    }
  }

  /** Lets those go on who wait. */
  void ended() {
    ended.countDown();
  }
}
