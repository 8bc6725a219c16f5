package dev.wisent.query.match;

import dev.wisent.bson.RawValue;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathVisitor;
import dev.wisent.query.path.PathWalk;

/** A condition on the values at a path. */
public sealed interface PathMatch extends MatchExpression, PathVisitor
    permits ComparisonMatch,
        InMatch,
        ExistsMatch,
        TypeMatch,
        ModMatch,
        RegexMatch,
        BitsMatch,
        SizeMatch,
        ExprComparisonMatch,
        GeoMatch,
        NearMatch,
        ElemMatch {

  FieldPath path();

  /** Counts the work: long filters look at the same long arrays many times. */
  WorkMeter meter();

  /** The operator's name with its dollar sign. */
  String operator();

  /** Whether an array at the end of the path is tried element by element too. */
  default boolean expandsLeafArrays() {
    return true;
  }

  @Override
  default boolean visit(RawValue value) {
    return matchesValue(value);
  }

  @Override
  default void positionEntered() {
    meter().add(0);
  }

  @Override
  default boolean matches(RawValue root, int boundParts, MatchDetails details) {
    meter().add(root.length());
    int found = PathWalk.find(path(), root, boundParts, expandsLeafArrays(), this);
    if (found >= 0 && details != null) {
      details.record(found);
    }
    return found != PathWalk.NOT_FOUND;
  }
}
