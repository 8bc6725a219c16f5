package dev.wisent.database.exec;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.RecordRange;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.match.DocumentFilter;
import dev.wisent.storage.EntryBatch;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordSpace;
import dev.wisent.storage.ScanHint;

/** All records of a collection in the order of insertion, or backwards, that match. */
final class CollectionScanStep extends RecordStep {
  private final RecordSpace records;
  private final RecordRange range;
  private final boolean reverse;
  private final boolean tailable;
  private final DocumentFilter filter;
  private final boolean capped;
  private final long scannedBytes;
  private KeyValueCursor cursor;
  private EntryBatch batch;
  private int entry;
  private boolean started;
  private boolean resumed;
  private boolean ended;
  private long recordId;
  private RawDocument document;

  CollectionScanStep(StageStats stats, PlanNode.CollectionScan node, StepContext context) {
    super(stats, context);
    this.records = context.collection().records();
    this.range = node.range();
    this.reverse = node.reverse();
    this.tailable = node.tailable();
    this.filter = DocumentFilter.of(node.filter());
    this.scannedBytes = context.collection().dataBytes();
    this.capped = context.collection().capped() != null;
    context.collection().scans().scanned(tailable);
  }

  @Override
  Outcome step() {
    if (ended) {
      return Outcome.END;
    }
    if (!advance()) {
      // What comes later is behind the last record: a tailable scan goes on from there.
      ended = !tailable;
      return Outcome.END;
    }
    operation().checkInterrupt();
    stats.documentsExamined++;
    started = true;
    recordId = records.recordId(batch.bytes(), batch.keyOffset(entry));
    document = new RawDocument(batch.bytes(), batch.valueOffset(entry), batch.valueLength(entry));
    return filter == null || filter.matches(document) ? Outcome.ADVANCED : Outcome.NEED_TIME;
  }

  private boolean advance() {
    if (cursor != null && ++entry < batch.count()) {
      return true;
    }
    if (cursor == null && !open()) {
      return false;
    }
    entry = 0;
    return cursor.read(batch);
  }

  /** Opens the cursor at the beginning, or behind the record where the scan was before. */
  private boolean open() {
    batch = new EntryBatch();
    cursor =
        view()
            .cursor(
                records.keyspace(),
                range == null ? records.lowerBound() : records.key(range.first()),
                upperBound(),
                reverse,
                new ScanHint(scannedBytes));
    if (!resumed) {
      return true;
    }
    resumed = false;
    boolean there = cursor.seek(records.key(recordId));
    boolean same = there && records.recordId(cursor.key()) == recordId;
    checkPosition(same);
    return same ? cursor.next() : there;
  }

  private byte[] upperBound() {
    return range == null || range.last() == -1
        ? records.upperBound()
        : records.key(range.last() + 1);
  }

  /**
   * A capped collection is a queue, of which a reader must not miss a part without knowing. Where
   * it stood is only gone if what follows may be gone too.
   */
  private void checkPosition(boolean found) {
    if (capped && !found) {
      throw new CommandException(
          ErrorCode.CAPPED_POSITION_LOST,
          "CollectionScan died due to position in capped collection being deleted. Last seen"
              + " record id: RecordId("
              + recordId
              + ")");
    }
  }

  @Override
  public long recordId() {
    return recordId;
  }

  @Override
  public RawDocument document() {
    return document;
  }

  @Override
  void suspendStep() {
    close();
    super.suspendStep();
  }

  @Override
  void resume(ReadView newer, OperationContext under) {
    super.resume(newer, under);
    resumed = started;
  }

  @Override
  public void close() {
    if (cursor != null) {
      cursor.close();
      cursor = null;
      batch = null;
    }
  }
}
