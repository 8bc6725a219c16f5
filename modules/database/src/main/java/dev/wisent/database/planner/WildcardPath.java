package dev.wisent.database.planner;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.index.Index;
import dev.wisent.query.bounds.BoundsBuilder;
import dev.wisent.query.bounds.Interval;
import dev.wisent.query.bounds.Intervals;
import dev.wisent.query.bounds.KeyPart;
import dev.wisent.query.bounds.PredicateBounds;
import dev.wisent.query.match.ExistsMatch;
import dev.wisent.query.match.NotMatch;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The path that a query asks a wildcard index for.
 *
 * @param withFields whether what lies below the path counts too. A document that has the path may
 *     have keys there only, for the index has the fields of documents, not documents.
 */
record WildcardPath(FieldPath path, boolean withFields) {
  private static final String PATH_NAME = "$_path";

  /** Documents and arrays: neither is in the index as a whole. */
  private static final List<Interval> CONTAINERS =
      List.of(
          new Interval(
              RawValue.ofDocument(RawDocument.EMPTY),
              true,
              new RawValue(ElementType.BINARY, new byte[5], 0, 5),
              false));

  /** The paths of some conditions that an index has. */
  static List<WildcardPath> of(Index index, List<Predicate> predicates) {
    var paths = new LinkedHashSet<WildcardPath>();
    for (Predicate predicate : predicates) {
      if (index.coversPath(predicate.path())) {
        boolean exists = predicate.condition() instanceof ExistsMatch;
        paths.add(new WildcardPath(predicate.path(), exists));
      }
    }
    return List.copyOf(paths);
  }

  /** The two parts of the keys that stand for the wildcard. */
  List<KeyPart> parts(Index index) {
    boolean descending = index.isDescending(index.wildcardField());
    return List.of(
        new KeyPart(PATH_NAME, null, KeyPart.Kind.PATH, descending, 0, true, null),
        new KeyPart(
            path.dotted(),
            path,
            KeyPart.Kind.VALUE,
            descending,
            index.wildcardArrayParts(path),
            true,
            index.collation()));
  }

  /** The paths whose keys are read. */
  List<Interval> intervals() {
    var intervals = new ArrayList<Interval>();
    intervals.add(Interval.point(RawValue.ofString(path.dotted())));
    if (withFields) {
      // The slash is the character after the dot.
      intervals.add(
          new Interval(
              RawValue.ofString(path.dotted() + "."),
              true,
              RawValue.ofString(path.dotted() + "/"),
              false));
    }
    return intervals;
  }

  /** A missing field has no key, nor have documents and arrays: what may match them is no use. */
  PredicateBounds bounds(Predicate predicate, KeyPart part) {
    if (predicate.condition() instanceof ExistsMatch || withFields) {
      return predicate.condition() instanceof ExistsMatch && withFields
          ? BoundsBuilder.of(predicate.condition(), part)
          : null;
    }
    if (predicate.condition() instanceof NotMatch || predicate.matchesMissing()) {
      return null;
    }
    PredicateBounds bounds = BoundsBuilder.of(predicate.condition(), part);
    return bounds != null && Intervals.intersection(bounds.intervals(), CONTAINERS).isEmpty()
        ? bounds
        : null;
  }
}
