package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.PipelineDependencies;
import dev.wisent.sharding.OwnedKeys;
import dev.wisent.storage.EntryBatch;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.RecordSpace;
import dev.wisent.storage.ScanHint;
import java.util.Arrays;

/**
 * Any records of a collection, each as likely as any other, in a random order and none twice.
 *
 * <p>It draws record ids between the least and the greatest and reads what is there. An id whose
 * record is deleted is drawn for nothing: to take the next record in its place would favour those
 * that stand behind gaps. Where that happens too often, all records are gone over once, which costs
 * no more than the draws have, and the rest of the sample is chosen from those not given yet.
 */
final class RandomCursorStep extends RecordStep {
  /** As many records can be gone over in the time of one read by id. */
  private static final int SCANNED_PER_READ = 4;

  private final Collection collection;
  private final RecordSpace records;
  private final RecordReader reader;
  private final PipelineDependencies.Sample sample;
  private final LongSet given = new LongSet();
  private final OwnedKeys owned;
  private boolean started;
  private long left;
  private long first;
  private long span;
  private long draws;
  private long[] chosen; // null as long as ids are drawn
  private int next;
  private long recordId;
  private RawDocument document;

  RandomCursorStep(StageStats stats, PlanNode.RandomCursor node, StepContext context) {
    super(stats, context);
    this.collection = context.collection();
    this.records = collection.records();
    this.reader = new RecordReader(collection);
    this.sample = node.sample();
    this.owned = context.ownedKeys();
    this.left = sample.size();
  }

  @Override
  Outcome step() {
    operation().checkInterrupt();
    if (!started) {
      start();
    }
    if (left == 0 || (chosen != null && next == chosen.length)) {
      return Outcome.END;
    }
    if (chosen == null && draws-- == 0) {
      choose();
      return Outcome.NEED_TIME;
    }
    long id = chosen == null ? first + below(span) : chosen[next++];
    RawDocument found = reader.read(view(), id);
    if (found == null) {
      return Outcome.NEED_TIME;
    }
    stats.documentsExamined++;
    if (!isOwned(found) || !given.add(id)) {
      return Outcome.NEED_TIME;
    }
    left--;
    recordId = id;
    document = found;
    return Outcome.ADVANCED;
  }

  private boolean isOwned(RawDocument found) {
    return owned == null || owned.has(found);
  }

  private static RawDocument value(EntryBatch batch, int entry) {
    return new RawDocument(batch.bytes(), batch.valueOffset(entry), batch.valueLength(entry));
  }

  /** Finds out where records are; drawing is not even tried where it will not do. */
  private void start() {
    started = true;
    first = end(false);
    span = first < 0 ? 0 : end(true) - first + 1;
    long documents = Math.max(1, collection.documents());
    long worthwhile = documents / SCANNED_PER_READ;
    double expected = left * ((double) span / documents);
    draws = span == 0 || expected > worthwhile ? 0 : worthwhile;
  }

  /** The least or the greatest record id; -1 if there is no record. */
  private long end(boolean greatest) {
    try (KeyValueCursor cursor =
        view().cursor(records.keyspace(), records.lowerBound(), records.upperBound(), greatest)) {
      return cursor.next() ? records.recordId(cursor.key()) : -1;
    }
  }

  private long below(long bound) {
    return (long) (sample.random().getAsDouble() * bound);
  }

  /** Goes over all records and keeps a fair choice of their ids, in a random order. */
  private void choose() {
    long[] ids = new long[Math.toIntExact(left)];
    long seen = 0;
    var batch = new EntryBatch();
    try (KeyValueCursor cursor =
        view()
            .cursor(
                records.keyspace(),
                records.lowerBound(),
                records.upperBound(),
                false,
                new ScanHint(collection.dataBytes()))) {
      while (cursor.read(batch)) {
        operation().checkInterrupt();
        stats.documentsExamined += batch.count();
        for (int i = 0; i < batch.count(); i++) {
          long id = records.recordId(batch.bytes(), batch.keyOffset(i));
          if (!given.contains(id) && isOwned(value(batch, i))) {
            keep(id, seen++, ids);
          }
        }
      }
    }
    chosen = Arrays.copyOf(ids, (int) Math.min(seen, ids.length));
  }

  /**
   * Takes in one more id: each of those before it stays with the same likelihood, and at the end
   * every order of those that are left is as likely.
   */
  private void keep(long id, long before, long[] ids) {
    long place = below(before + 1);
    if (before < ids.length) {
      ids[(int) before] = ids[(int) place];
      ids[(int) place] = id;
    } else if (place < ids.length) {
      ids[(int) place] = id;
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
}
