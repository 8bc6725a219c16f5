package dev.wisent.database.explain;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.database.collection.Index;
import dev.wisent.database.plan.bounds.FieldIntervals;
import dev.wisent.database.plan.bounds.Interval;
import dev.wisent.database.plan.bounds.ScanBounds;
import java.util.List;

/**
 * The bounds of a scan, in the order in which it meets the keys: in a descending field, or in a
 * scan backwards, from the greatest value to the least.
 */
final class BoundsText {
  private BoundsText() {}

  /** One interval: {@code [1, 5)}. */
  static String of(Interval interval, boolean downwards) {
    return downwards
        ? text(interval.high(), interval.highInclusive(), interval.low(), interval.lowInclusive())
        : text(interval.low(), interval.lowInclusive(), interval.high(), interval.highInclusive());
  }

  private static String text(
      RawValue from, boolean fromInclusive, RawValue to, boolean toInclusive) {
    return (fromInclusive ? "[" : "(")
        + ValueText.of(from)
        + ", "
        + ValueText.of(to)
        + (toInclusive ? "]" : ")");
  }

  /** Adds {@code indexBounds}. Those of min and max have no fields, in MongoDB neither. */
  static void append(Index index, ScanBounds bounds, boolean reverse, BsonBuilder out) {
    out.startDocument("indexBounds");
    if (bounds instanceof ScanBounds.ByField byField) {
      List<FieldIntervals> fields = byField.fields();
      for (int i = 0; i < fields.size(); i++) {
        appendField(fields.get(i), index.isKeyPartDescending(i) != reverse, out);
      }
    }
    out.end();
  }

  private static void appendField(FieldIntervals field, boolean downwards, BsonBuilder out) {
    List<Interval> intervals = downwards ? field.intervals().reversed() : field.intervals();
    out.startArray(field.name());
    for (int i = 0; i < intervals.size(); i++) {
      out.append(i, RawValue.ofString(of(intervals.get(i), downwards)));
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
            out.append(fields.get(i).name(), intervals.getFirst().low());
            inclusive = intervals.getFirst().lowInclusive();
          } else {
            out.append(fields.get(i).name(), intervals.getLast().high());
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
