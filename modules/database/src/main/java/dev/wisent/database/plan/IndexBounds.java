package dev.wisent.database.plan;

import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Index;
import dev.wisent.query.match.ComparisonMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.storage.RecordKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The ranges of an index that a filter needs.
 *
 * @param pointFields how many leading fields have given values
 * @param ranged whether the field after those has a range
 */
record IndexBounds(List<ByteRange> ranges, int pointFields, boolean ranged) {
  private static final int RANGES_MAX = 10_000;

  /** Ranges from the conditions of a filter; the whole index if they say nothing about it. */
  static IndexBounds of(Index index, List<MatchExpression> conditions) {
    List<byte[]> prefixes = List.of(RecordKeys.lowerBound(index.ident()));
    int field = 0;
    FieldBounds range = null;
    while (field < index.fieldCount() && !sharesArrayWithEarlier(index, field)) {
      FieldBounds bounds = FieldBounds.of(index.path(field), conditions, index.hasArray(field));
      if (bounds == null) {
        break;
      }
      if (!bounds.isPoints()) {
        range = bounds;
        break;
      }
      if ((long) prefixes.size() * bounds.points().size() > RANGES_MAX) {
        break;
      }
      prefixes = extend(prefixes, index, field, bounds.points());
      field++;
    }
    var ranges = new ArrayList<ByteRange>(prefixes.size());
    for (byte[] prefix : prefixes) {
      ranges.add(
          range == null
              ? new ByteRange(prefix, RecordKeys.prefixUpperBound(prefix))
              : range(prefix, range, index.isDescending(field)));
    }
    return new IndexBounds(ranges, field, range != null);
  }

  private static boolean sharesArrayWithEarlier(Index index, int field) {
    for (int earlier = 0; earlier < field; earlier++) {
      if (index.shareArray(earlier, field)) {
        return true;
      }
    }
    return false;
  }

  boolean isWholeIndex() {
    return pointFields == 0 && !ranged;
  }

  private static List<byte[]> extend(
      List<byte[]> prefixes, Index index, int field, List<RawValue> points) {
    boolean descending = index.isDescending(field);
    var extended = new ArrayList<byte[]>(prefixes.size() * points.size());
    for (byte[] prefix : prefixes) {
      for (RawValue point : descending ? points.reversed() : points) {
        extended.add(join(prefix, KeyClasses.encode(point, descending)));
      }
    }
    return extended;
  }

  private static ByteRange range(byte[] prefix, FieldBounds bounds, boolean descending) {
    ComparisonMatch from = descending ? bounds.upper() : bounds.lower();
    ComparisonMatch to = descending ? bounds.lower() : bounds.upper();
    byte type = (from != null ? from : to).operand().type();
    byte[] lower;
    if (from == null) {
      lower = join(prefix, KeyClasses.bracketStart(type, descending));
    } else {
      lower = join(prefix, KeyClasses.encode(from.operand(), descending));
      lower = isInclusive(from) ? lower : RecordKeys.prefixUpperBound(lower);
    }
    byte[] upper;
    if (to == null) {
      upper = join(prefix, KeyClasses.bracketEnd(type, descending));
    } else {
      upper = join(prefix, KeyClasses.encode(to.operand(), descending));
      upper = isInclusive(to) ? RecordKeys.prefixUpperBound(upper) : upper;
    }
    return new ByteRange(lower, upper);
  }

  private static boolean isInclusive(ComparisonMatch comparison) {
    return switch (comparison.comparison()) {
      case GTE, LTE, EQ -> true;
      case GT, LT -> false;
    };
  }

  static byte[] join(byte[] prefix, byte[] suffix) {
    byte[] joined = Arrays.copyOf(prefix, prefix.length + suffix.length);
    System.arraycopy(suffix, 0, joined, prefix.length, suffix.length);
    return joined;
  }
}
