package dev.wisent.database.exec;

import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawValue;
import dev.wisent.database.exec.Step.Outcome;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.bounds.KeyInterval;
import dev.wisent.query.geo.GeoKeyRange;
import dev.wisent.query.geo.NearCells;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import java.util.Arrays;
import java.util.List;

/**
 * The keys of cells where they are all in one piece of the index. One cursor goes from cell to
 * cell, and need not look for one whose first key it has met at the end of another.
 */
final class CellCursor extends CellReader {
  private final Index index;
  private final int field;
  private final StageStats stats;

  /** What all the keys begin with: the ident, and the values of the fields before the cells. */
  private final byte[] prefix;

  /** What the fields behind the cells have to be; null if anything. */
  private final FieldCheck check;

  private final IndexKeyV1.Encoder encoder = new IndexKeyV1.Encoder();
  private ReadView view;
  private OperationContext operation;
  private KeyValueCursor cursor;

  /** Whether the cursor stands on a key, and whether that is still to be looked at. */
  private boolean positioned;

  private boolean ahead;

  /** Where to go on instead of at the next key; null for the next key. */
  private byte[] target;

  /** What the keys are below. */
  private byte[] upper;

  CellCursor(PlanNode.GeoNear node, int field, StageStats stats, StepContext context) {
    this.index = node.index();
    this.field = field;
    this.stats = stats;
    List<FieldIntervals> fields = node.bounds().fields();
    this.prefix = prefix(index, fields.subList(0, field));
    boolean any = fields.subList(field + 1, fields.size()).stream().allMatch(FieldIntervals::isAll);
    this.check = any ? null : new FieldCheck(index, EncodedBounds.encode(index, fields), false);
    this.view = context.view();
    this.operation = context.operation();
  }

  private static byte[] prefix(Index index, List<FieldIntervals> points) {
    byte[] prefix = RecordKeys.lowerBound(index.ident());
    for (int i = 0; i < points.size(); i++) {
      boolean descending = index.isKeyPartDescending(i);
      var point = KeyInterval.of(points.get(i).intervals().getFirst(), descending);
      prefix = EncodedBounds.join(prefix, point.first());
    }
    return prefix;
  }

  @Override
  void read(List<GeoKeyRange> ranges) {
    GeoKeyRange range = ranges.getFirst();
    byte[] lower = bound(range.low());
    byte[] last = bound(range.high());
    upper = IndexKeyV1.successor(last, last.length);
    target = positioned && startsWith(lower) ? null : lower;
  }

  private byte[] bound(RawValue key) {
    return EncodedBounds.join(
        prefix, encoder.reset().append(key, index.isKeyPartDescending(field)).toByteArray());
  }

  private boolean startsWith(byte[] bytes) {
    return cursor.keyLength() >= bytes.length
        && Arrays.equals(cursor.key(), 0, bytes.length, bytes, 0, bytes.length);
  }

  @Override
  Outcome advance() {
    operation.checkInterrupt();
    if (!move()) {
      return Outcome.END;
    }
    byte[] key = cursor.key();
    int length = cursor.keyLength();
    ahead = Arrays.compareUnsigned(key, 0, length, upper, 0, upper.length) >= 0;
    if (ahead) {
      return Outcome.END;
    }
    if (check == null) {
      return Outcome.ADVANCED;
    }
    return switch (check.check(key, length)) {
      case WITHIN -> Outcome.ADVANCED;
      case SEEK -> {
        byte[] next = check.target();
        // A bound may be the key itself, which a seek would find again.
        boolean further = Arrays.compareUnsigned(next, 0, next.length, key, 0, length) > 0;
        target = further ? next : null;
        yield Outcome.NEED_TIME;
      }
      case DONE -> Outcome.END;
    };
  }

  private boolean move() {
    if (target == null && ahead) {
      return true;
    }
    if (cursor == null) {
      byte[] end = RecordKeys.prefixUpperBound(prefix);
      cursor = view.cursor(Keyspace.INDEX, prefix, end, false);
    }
    if (target == null) {
      positioned = cursor.next();
    } else {
      stats.seeks++;
      positioned = cursor.seek(target);
      target = null;
    }
    stats.keysExamined += positioned ? 1 : 0;
    ahead = false;
    return positioned;
  }

  @Override
  long cell() {
    int start = prefix.length;
    return IndexKeyV1.int64(
        cursor.key(), start, cursor.keyLength() - start, index.isKeyPartDescending(field));
  }

  @Override
  long recordId() {
    return index.isUnique()
        ? RecordKeys.recordId(cursor.value(), 0)
        : RecordKeys.recordId(cursor.key(), cursor.keyLength() - RecordKeys.RECORD_ID_BYTES);
  }

  @Override
  void finish(NearCells cells) {
    if (positioned) {
      cells.finish(cell());
    } else {
      cells.finish();
    }
  }

  @Override
  void close() {
    if (cursor != null) {
      cursor.close();
      cursor = null;
    }
    positioned = false;
    ahead = false;
  }

  @Override
  void resume(ReadView newer, OperationContext under) {
    view = newer;
    operation = under;
  }
}
