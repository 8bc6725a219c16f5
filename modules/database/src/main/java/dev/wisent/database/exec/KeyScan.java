package dev.wisent.database.exec;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.exec.Step.Outcome;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.query.collation.Collation;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import java.util.Arrays;
import java.util.List;

/**
 * The keys of an index within bounds, one after the other, for the steps that read indexes. Each
 * key that the store shows counts as examined, as in MongoDB also one that is then skipped.
 */
final class KeyScan {
  private final Index index;
  private final boolean reverse;
  private final StageStats stats;
  private final EncodedBounds bounds;

  /** Whether the bounds are some keys of an {@code _id} index, each of which is looked up. */
  private final boolean byPoints;

  private final KeyCheck check;
  private final Collection collection;
  private final RecordReader reader;
  private ReadView view;
  private OperationContext operation;
  private KeyValueCursor cursor;
  private boolean positioned;
  private boolean ended;

  /** Where to go on instead of at the next key; null for the next key. */
  private byte[] seekTarget;

  /** The entry that the scan stood on when it was suspended. */
  private byte[] savedKey;

  private byte[] savedValue;

  KeyScan(Index index, ScanBounds bounds, boolean reverse, StageStats stats, StepContext context) {
    this.index = index;
    this.reverse = reverse;
    this.stats = stats;
    this.bounds = EncodedBounds.of(index, bounds);
    this.byPoints = index.isId() && this.bounds.areKeys() && !this.bounds.isOneRange();
    this.check = byPoints ? null : check(this.bounds);
    this.collection = context.collection();
    this.reader = new RecordReader(collection);
    this.view = context.view();
    this.operation = context.operation();
    this.ended = this.bounds.isEmpty();
  }

  private KeyCheck check(EncodedBounds encoded) {
    if (encoded.fields() != null) {
      return new FieldCheck(index, encoded.fields(), reverse);
    }
    return encoded.isOneRange() ? null : new RangeCheck(encoded.ranges(), reverse);
  }

  Index index() {
    return index;
  }

  /** Moves to the next key; asks for another call where that is not within the bounds. */
  Outcome advance() {
    if (ended) {
      return Outcome.END;
    }
    operation.checkInterrupt();
    positioned = move();
    if (!positioned) {
      return end();
    }
    stats.keysExamined++;
    if (check == null) {
      return Outcome.ADVANCED;
    }
    return switch (check.check(cursor.key(), cursor.keyLength())) {
      case WITHIN -> Outcome.ADVANCED;
      case SEEK -> {
        seekTarget = check.target();
        yield Outcome.NEED_TIME;
      }
      case DONE -> end();
    };
  }

  private Outcome end() {
    ended = true;
    positioned = false;
    savedKey = null;
    savedValue = null;
    close();
    return Outcome.END;
  }

  private boolean move() {
    if (savedKey != null) {
      return moveFromSaved();
    }
    if (cursor == null) {
      open();
      stats.seeks++;
      byte[] start = seekTarget != null ? takeTarget() : start();
      return start == null ? cursor.next() : cursor.seek(start);
    }
    if (seekTarget == null) {
      return cursor.next();
    }
    byte[] target = takeTarget();
    if (!isAhead(target)) {
      return cursor.next();
    }
    stats.seeks++;
    return cursor.seek(target);
  }

  private byte[] takeTarget() {
    byte[] target = seekTarget;
    seekTarget = null;
    return target;
  }

  /** A bound may be the key itself, which a seek would find again. */
  private boolean isAhead(byte[] target) {
    int order =
        Arrays.compareUnsigned(target, 0, target.length, cursor.key(), 0, cursor.keyLength());
    return reverse ? order < 0 : order > 0;
  }

  /** Goes on behind the entry of before the suspension, which may be gone. */
  private boolean moveFromSaved() {
    byte[] last = savedKey;
    savedKey = null;
    savedValue = null;
    open();
    stats.seeks++;
    byte[] target = seekTarget != null ? takeTarget() : last;
    if (!cursor.seek(target)) {
      return false;
    }
    boolean same = Arrays.equals(cursor.key(), 0, cursor.keyLength(), last, 0, last.length);
    return !same || cursor.next();
  }

  private void open() {
    if (byPoints) {
      List<byte[]> points = bounds.ranges().stream().map(ByteRange::lower).toList();
      cursor = new IdPoints(points, reverse, collection, view);
      return;
    }
    ByteRange range =
        bounds.isOneRange()
            ? bounds.ranges().getFirst()
            : new ByteRange(
                RecordKeys.lowerBound(index.ident()), RecordKeys.upperBound(index.ident()));
    cursor = view.cursor(Keyspace.INDEX, range.lower(), range.upper(), reverse);
  }

  /** Where the first key is looked for; null for the first one that the cursor shows. */
  private byte[] start() {
    return switch (check) {
      case null -> null;
      case RangeCheck ranges -> ranges.target();
      case FieldCheck fields -> fields.start(index.ident());
    };
  }

  private int start(int part) {
    int start = RecordKeys.IDENT_BYTES;
    for (int i = 0; i < part; i++) {
      start = IndexKeyV1.fieldEnd(key(), start, keyLength() - start, index.isKeyPartDescending(i));
    }
    return start;
  }

  /** The cell in one part of the key, which is known to have one. */
  long cell(int part) {
    int start = start(part);
    return IndexKeyV1.int64(key(), start, keyLength() - start, index.isKeyPartDescending(part));
  }

  /** The number in one part of the key, which is known to have one. */
  double number(int part) {
    int start = start(part);
    return IndexKeyV1.number(key(), start, keyLength() - start, index.isKeyPartDescending(part));
  }

  /** Goes on behind all keys that have the same values up to a field. */
  void skipValue(int field) {
    byte[] key = key();
    int length = keyLength();
    int end = RecordKeys.IDENT_BYTES;
    for (int i = 0; i <= field; i++) {
      end = IndexKeyV1.fieldEnd(key, end, length - end, index.isKeyPartDescending(i));
    }
    seekTarget = reverse ? Arrays.copyOf(key, end) : IndexKeyV1.successor(key, end);
  }

  long recordId() {
    return index.isUnique()
        ? RecordKeys.recordId(savedKey != null ? savedValue : cursor.value(), 0)
        : RecordKeys.recordId(key(), keyLength() - RecordKeys.RECORD_ID_BYTES);
  }

  private byte[] key() {
    return savedKey != null ? savedKey : cursor.key();
  }

  private int keyLength() {
    return savedKey != null ? savedKey.length : cursor.keyLength();
  }

  /** The key of the entry, without the record id that may be behind it. */
  byte[] copyKey() {
    int length = keyLength() - (index.isUnique() ? 0 : RecordKeys.RECORD_ID_BYTES);
    return Arrays.copyOf(key(), length);
  }

  /** The values of the key under the paths of the index. */
  RawDocument keyDocument() {
    RawDocument key = storedKey();
    return index.isId() && !tellsItsType(key.get("_id").type()) ? readId(key) : key;
  }

  /**
   * Entries of an {@code _id} index have no type bits, which only some types can do without. Where
   * keys of strings are in the place of values, it is those that are wanted.
   */
  private boolean tellsItsType(byte type) {
    return switch (type) {
      case ElementType.OBJECT_ID,
          ElementType.DATE,
          ElementType.BOOLEAN,
          ElementType.BINARY,
          ElementType.TIMESTAMP,
          ElementType.NULL ->
          true;
      default -> index.collation() != null && Collation.affects(type);
    };
  }

  private RawDocument readId(RawDocument key) {
    RawDocument document = readDocument();
    return document == null ? key : IdLookupStep.idOf(document);
  }

  /** The document of the current entry if finding the entry has brought it; else null. */
  RawDocument document() {
    return cursor instanceof IdPoints points ? points.document() : null;
  }

  /** The document of the current entry, where its key does not say enough; null if it is gone. */
  RawDocument readDocument() {
    return reader.read(view, recordId());
  }

  private RawDocument storedKey() {
    if (savedKey == null) {
      return index.keyDocument(cursor);
    }
    int bits = index.isUnique() ? RecordKeys.RECORD_ID_BYTES : 0;
    return index.keyDocument(savedKey, Arrays.copyOfRange(savedValue, bits, savedValue.length));
  }

  /** Keeps the entry that the scan stands on, and nothing of the store. */
  void suspend() {
    if (positioned && savedKey == null) {
      savedKey = cursor.copyKey();
      savedValue = cursor.copyValue();
    }
    close();
    view = null;
  }

  void resume(ReadView newer, OperationContext under) {
    view = newer;
    operation = under;
  }

  void close() {
    if (cursor != null) {
      cursor.close();
      cursor = null;
    }
  }
}
