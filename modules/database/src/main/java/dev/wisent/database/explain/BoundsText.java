package dev.wisent.database.explain;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.database.index.Index;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.bounds.Interval;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.query.collation.CollationKeys;
import java.util.List;

/**
 * The bounds of a scan, in the order in which it meets the keys: in a descending field, or in a
 * scan backwards, from the greatest value to the least.
 */
final class BoundsText {
  private BoundsText() {}

  /** One interval: {@code [1, 5)}. */
  static String of(Interval interval, boolean downwards) {
    return of(interval, downwards, false);
  }

  /**
   * @param collated whether strings are the keys of strings: {@code [CollationKey(0x2927), {})}
   */
  private static String of(Interval interval, boolean downwards, boolean collated) {
    String low = text(interval.low(), collated);
    String high = text(interval.high(), collated);
    return downwards
        ? text(high, interval.highInclusive(), low, interval.lowInclusive())
        : text(low, interval.lowInclusive(), high, interval.highInclusive());
  }

  private static String text(RawValue end, boolean collated) {
    boolean isText = end.isString() || end.type() == ElementType.SYMBOL;
    return collated && isText
        ? "CollationKey(0x" + CollationKeys.hex(end) + ")"
        : ValueText.of(end);
  }

  private static String text(String from, boolean fromInclusive, String to, boolean toInclusive) {
    return (fromInclusive ? "[" : "(") + from + ", " + to + (toInclusive ? "]" : ")");
  }

  /** Adds {@code indexBounds}. Those of min and max have no fields, in MongoDB neither. */
  static void append(Index index, ScanBounds bounds, boolean reverse, BsonBuilder out) {
    out.startDocument("indexBounds");
    if (bounds instanceof ScanBounds.ByField byField) {
      List<FieldIntervals> fields = byField.fields();
      for (int i = 0; i < fields.size(); i++) {
        // The path in the keys of a wildcard index is a string as it is.
        boolean collated =
            index.collation() != null
                && !(index.kind() == Index.Kind.WILDCARD && i == index.wildcardField());
        appendField(fields.get(i), index.isKeyPartDescending(i) != reverse, collated, out);
      }
    }
    out.end();
  }

  private static void appendField(
      FieldIntervals field, boolean downwards, boolean collated, BsonBuilder out) {
    List<Interval> intervals = downwards ? field.intervals().reversed() : field.intervals();
    out.startArray(field.name());
    for (int i = 0; i < intervals.size(); i++) {
      out.append(i, RawValue.ofString(of(intervals.get(i), downwards, collated)));
    }
    out.end();
  }

  /** Adds {@code indexBounds} as a count has them: the first and the last key. */
  static void appendKeys(Index index, ScanBounds bounds, BsonBuilder out) {
    out.startDocument("indexBounds");
    appendKey(index, bounds, true, out);
    appendKey(index, bounds, false, out);
    out.end();
  }

  private static RawValue shown(Index index, RawValue end) {
    return index.collation() == null ? end : CollationKeys.shown(end);
  }

  private static void appendKey(Index index, ScanBounds bounds, boolean start, BsonBuilder out) {
    String name = start ? "startKey" : "endKey";
    boolean inclusive = true;
    out.startDocument(name);
    switch (bounds) {
      case ScanBounds.ByField byField -> {
        List<FieldIntervals> fields = byField.fields();
        for (int i = 0; i < fields.size(); i++) {
          boolean least = index.isKeyPartDescending(i) != start;
          List<Interval> intervals = fields.get(i).intervals();
          if (!inclusive || intervals.isEmpty()) {
            // Behind a value that is left out, all keys with that value are.
            out.append(fields.get(i).name(), least ? RawValue.MAX_KEY : RawValue.MIN_KEY);
          } else if (least) {
            out.append(fields.get(i).name(), shown(index, intervals.getFirst().low()));
            inclusive = intervals.getFirst().lowInclusive();
          } else {
            out.append(fields.get(i).name(), shown(index, intervals.getLast().high()));
            inclusive = intervals.getLast().highInclusive();
          }
        }
      }
      case ScanBounds.ByKey byKey -> {
        var key = start ? byKey.min() : byKey.max();
        if (key != null) {
          out.appendAll(key);
        }
        inclusive = start;
      }
    }
    out.end();
    out.appendBoolean(name + "Inclusive", inclusive);
  }
}
