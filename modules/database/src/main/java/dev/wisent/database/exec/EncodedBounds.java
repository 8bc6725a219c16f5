package dev.wisent.database.exec;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.index.Index;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.bounds.Interval;
import dev.wisent.query.bounds.KeyInterval;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.query.collation.Collation;
import dev.wisent.storage.RecordKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The bounds of a scan in the bytes of its index, made once.
 *
 * <p>Where points are followed by at most one field with intervals, the bounds are plain ranges of
 * keys. Otherwise keys have to be looked at field by field.
 *
 * @param ranges ascending, without overlap; null where keys are looked at field by field
 * @param fields the intervals of each field, ascending in bytes; null where there are ranges
 * @param areKeys whether each range begins with a whole key, which is all that is wanted of it
 */
record EncodedBounds(List<ByteRange> ranges, KeyInterval[][] fields, boolean areKeys) {
  /** With more combinations of points than this, looking at each key costs less. */
  private static final int RANGES_MAX = 4096;

  static EncodedBounds of(Index index, ScanBounds bounds) {
    return switch (bounds) {
      case ScanBounds.ByKey byKey ->
          new EncodedBounds(range(index, byKey.min(), byKey.max()), null, false);
      case ScanBounds.ByField byField -> of(index, byField.fields());
    };
  }

  private static EncodedBounds of(Index index, List<FieldIntervals> fields) {
    KeyInterval[][] encoded = encode(index, fields);
    for (KeyInterval[] intervals : encoded) {
      if (intervals.length == 0) {
        return new EncodedBounds(List.of(), null, false);
      }
    }
    if (!isRanges(fields)) {
      return new EncodedBounds(null, encoded, false);
    }
    boolean areKeys = fields.getLast().isPoints();
    return new EncodedBounds(ranges(index, fields, encoded), null, areKeys);
  }

  /** The intervals of each field. */
  static KeyInterval[][] encode(Index index, List<FieldIntervals> fields) {
    var encoded = new KeyInterval[fields.size()][];
    for (int i = 0; i < encoded.length; i++) {
      encoded[i] = encode(fields.get(i), index.isKeyPartDescending(i));
    }
    return encoded;
  }

  private static KeyInterval[] encode(FieldIntervals field, boolean descending) {
    List<Interval> intervals = field.intervals();
    return (descending ? intervals.reversed() : intervals)
        .stream().map(interval -> KeyInterval.of(interval, descending)).toArray(KeyInterval[]::new);
  }

  private static boolean isRanges(List<FieldIntervals> fields) {
    long combinations = 1;
    int field = 0;
    while (field < fields.size() && fields.get(field).isPoints()) {
      combinations *= fields.get(field++).intervals().size();
      if (combinations > RANGES_MAX) {
        return false;
      }
    }
    if (field < fields.size()) {
      combinations *= fields.get(field++).intervals().size();
    }
    return combinations <= RANGES_MAX
        && fields.subList(field, fields.size()).stream().allMatch(FieldIntervals::isAll);
  }

  private static List<ByteRange> ranges(
      Index index, List<FieldIntervals> fields, KeyInterval[][] encoded) {
    List<byte[]> prefixes = List.of(RecordKeys.lowerBound(index.ident()));
    int field = 0;
    while (field < encoded.length && fields.get(field).isPoints()) {
      prefixes = extend(prefixes, encoded[field++]);
    }
    var ranges = new ArrayList<ByteRange>();
    for (byte[] prefix : prefixes) {
      if (field == encoded.length || fields.get(field).isAll()) {
        ranges.add(new ByteRange(prefix, RecordKeys.prefixUpperBound(prefix)));
      } else {
        for (KeyInterval interval : encoded[field]) {
          add(join(prefix, interval.lower()), join(prefix, interval.upper()), ranges);
        }
      }
    }
    return ranges;
  }

  /** Between two neighbours there is nothing, and the store wants bounds in their order. */
  private static void add(byte[] lower, byte[] upper, List<ByteRange> ranges) {
    if (upper == null || Arrays.compareUnsigned(lower, upper) < 0) {
      ranges.add(new ByteRange(lower, upper));
    }
  }

  private static List<byte[]> extend(List<byte[]> prefixes, KeyInterval[] points) {
    var extended = new ArrayList<byte[]>(prefixes.size() * points.length);
    for (byte[] prefix : prefixes) {
      for (KeyInterval point : points) {
        extended.add(join(prefix, point.first()));
      }
    }
    return extended;
  }

  private static List<ByteRange> range(Index index, RawDocument min, RawDocument max) {
    var ranges = new ArrayList<ByteRange>(1);
    add(
        min == null ? RecordKeys.lowerBound(index.ident()) : key(index, min),
        max == null ? RecordKeys.upperBound(index.ident()) : key(index, max),
        ranges);
    return ranges;
  }

  private static byte[] key(Index index, RawDocument values) {
    var encoder = new IndexKeyV1.Encoder().appendIdent(index.ident());
    ElementCursor fields = values.elements();
    for (int i = 0; fields.next(); i++) {
      encoder.append(
          Collation.key(index.collation(), fields.value()), index.isKeyPartDescending(i));
    }
    return encoder.toByteArray();
  }

  static byte[] join(byte[] prefix, byte[] suffix) {
    byte[] joined = Arrays.copyOf(prefix, prefix.length + suffix.length);
    System.arraycopy(suffix, 0, joined, prefix.length, suffix.length);
    return joined;
  }

  boolean isEmpty() {
    return ranges != null && ranges.isEmpty();
  }

  /** Whether the store itself can keep a cursor within the bounds. */
  boolean isOneRange() {
    return ranges != null && ranges.size() == 1;
  }
}
