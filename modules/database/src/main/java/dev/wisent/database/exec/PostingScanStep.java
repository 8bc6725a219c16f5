package dev.wisent.database.exec;

import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.storage.EntryBatch;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * All keys of one term, read with the first call, which is also the last: for one who needs them
 * all before anything can be said of a record. They are read up from the lowest score, because the
 * store goes forward at half the cost of going back, and count as if they were rows.
 */
final class PostingScanStep extends Step {
  private final Index index;
  private final ByteRange range;
  private final MatchExpression filter;
  private Postings postings = new Postings();
  private ReadView view;
  private OperationContext operation;

  PostingScanStep(StageStats stats, PlanNode.IndexScan node, StepContext context) {
    super(stats);
    this.index = node.index();
    this.range = EncodedBounds.of(index, node.bounds()).ranges().getFirst();
    this.filter = node.filter();
    this.view = context.view();
    this.operation = context.operation();
    index.used();
  }

  @Override
  Outcome step() {
    EntryBatch batch = index.isUnique() || filter != null ? new EntryBatch() : EntryBatch.ofKeys();
    stats.seeks++;
    try (KeyValueCursor cursor = view.cursor(Keyspace.INDEX, range.lower(), range.upper(), false)) {
      while (cursor.read(batch)) {
        operation.checkInterrupt();
        stats.keysExamined += batch.count();
        for (int i = 0; i < batch.count(); i++) {
          if (filter == null || filter.matches(NestedFields.of(keyDocument(batch, i)))) {
            postings.add(recordId(batch, i), score(batch, i));
          }
        }
      }
    }
    stats.works += stats.keysExamined;
    stats.advanced += postings.size();
    stats.needTime += stats.keysExamined - postings.size();
    stats.duplicatesTested += index.isMultikey() ? postings.size() : 0;
    return Outcome.END;
  }

  /** A key has the score behind what all keys of the term begin with. */
  private double score(EntryBatch batch, int entry) {
    int known = range.lower().length;
    return IndexKeyV1.number(
        batch.bytes(), batch.keyOffset(entry) + known, batch.keyLength(entry) - known, false);
  }

  private long recordId(EntryBatch batch, int entry) {
    return RecordKeys.recordId(
        batch.bytes(),
        index.isUnique()
            ? batch.valueOffset(entry)
            : batch.valueOffset(entry) - RecordKeys.RECORD_ID_BYTES);
  }

  private RawDocument keyDocument(EntryBatch batch, int entry) {
    int bits = batch.valueOffset(entry) + (index.isUnique() ? RecordKeys.RECORD_ID_BYTES : 0);
    int end = batch.valueOffset(entry) + batch.valueLength(entry);
    return index.keyDocument(
        Arrays.copyOfRange(batch.bytes(), batch.keyOffset(entry), batch.valueOffset(entry)),
        Arrays.copyOfRange(batch.bytes(), bits, end));
  }

  /** What was read, for once: it is not kept. */
  Postings take() {
    Postings taken = postings;
    postings = null;
    return taken;
  }

  @Override
  public long recordId() {
    throw new IllegalStateException("no rows");
  }

  @Override
  public RawDocument document() {
    return null;
  }

  @Override
  void forEachIndex(Consumer<Index> action) {
    action.accept(index);
  }

  @Override
  void suspendStep() {
    view = null;
  }

  @Override
  void resume(ReadView newer, OperationContext under) {
    view = newer;
    operation = under;
  }

  @Override
  public void close() {}
}
