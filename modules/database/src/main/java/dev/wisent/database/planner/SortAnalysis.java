package dev.wisent.database.planner;

import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.bounds.Interval;
import dev.wisent.query.bounds.KeyPart;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether an index gives the order that a sort asks for, forwards or backwards, in one scan or in
 * several that are merged: one for each combination of the values that leading fields may have.
 */
record SortAnalysis(List<IndexAccess> scans, boolean reverse) {
  /** More scans than this are not merged; the documents are sorted instead. */
  static final int SCANS_MAX = 200;

  /** Null if the order is another. */
  static SortAnalysis of(IndexAccess access, SortPattern sort, PlanLimits limits) {
    List<FieldIntervals> fields = access.fields();
    long scans = 1;
    for (int split = 0; split <= fields.size(); split++) {
      int direction = direction(access, split, sort);
      if (direction != 0) {
        return new SortAnalysis(split(access, split), direction < 0);
      }
      if (split == fields.size() || !fields.get(split).isPoints()) {
        return null;
      }
      scans *= fields.get(split).intervals().size();
      if (scans > SCANS_MAX) {
        limits.reachedScansToExplode();
        return null;
      }
    }
    return null;
  }

  boolean isMerge() {
    return scans.size() > 1;
  }

  /**
   * 1 if reading forwards gives the order, -1 if backwards does, 0 if neither.
   *
   * @param split how many leading fields have one value in each scan
   */
  private static int direction(IndexAccess access, int split, SortPattern sort) {
    List<KeyPart> parts = access.view().parts();
    List<FieldIntervals> fields = access.fields();
    int next = 0;
    int direction = 0;
    for (SortPattern.Part wanted : sort.parts()) {
      if (isConstant(access, split, wanted.path())) {
        continue;
      }
      while (next < parts.size() && hasOneValue(fields, split, next)) {
        next++;
      }
      if (next == parts.size()
          || !access.isOrderedBy(sort.collation(), next)
          || !canSortBy(access, split, next, wanted.path())) {
        return 0;
      }
      int needed = wanted.descending() == parts.get(next).descending() ? 1 : -1;
      if (direction != 0 && direction != needed) {
        return 0;
      }
      direction = needed;
      next++;
    }
    return direction == 0 ? 1 : direction;
  }

  private static boolean hasOneValue(List<FieldIntervals> fields, int split, int field) {
    return field < split || fields.get(field).isPoint();
  }

  /** Of a document with an array only one of the values that count for a sort is known. */
  private static boolean isConstant(IndexAccess access, int split, FieldPath path) {
    int part = access.view().partOf(path);
    return part >= 0
        && access.view().parts().get(part).kind() == KeyPart.Kind.VALUE
        && !access.view().parts().get(part).hasArray()
        && hasOneValue(access.fields(), split, part);
  }

  /**
   * A document with an array is sorted by the first of all its values. An index has it there if it
   * is read without bounds on arrays: what comes later of the same document is left out.
   */
  private static boolean canSortBy(IndexAccess access, int split, int field, FieldPath path) {
    List<KeyPart> parts = access.view().parts();
    if (!path.equals(parts.get(field).path()) || parts.get(field).kind() != KeyPart.Kind.VALUE) {
      return false;
    }
    if (!parts.get(field).hasArray()) {
      return true;
    }
    if (access.view().index().isSparse() && parts.get(field).hasArrayOnTheWay()) {
      // An element without any field of the index has no key, but counts for the sort as null.
      return false;
    }
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).hasArray() && !access.fields().get(i).isAll()) {
        return false;
      }
    }
    return split == 0;
  }

  /** One access for each combination of the values of the leading fields. */
  private static List<IndexAccess> split(IndexAccess access, int split) {
    List<List<FieldIntervals>> combinations = List.of(access.fields());
    for (int field = 0; field < split; field++) {
      var narrower = new ArrayList<List<FieldIntervals>>();
      for (List<FieldIntervals> fields : combinations) {
        for (Interval point : fields.get(field).intervals()) {
          var one = new ArrayList<>(fields);
          one.set(field, new FieldIntervals(fields.get(field).name(), List.of(point)));
          narrower.add(one);
        }
      }
      combinations = narrower;
    }
    return split == 0 ? List.of(access) : combinations.stream().map(access::within).toList();
  }
}
