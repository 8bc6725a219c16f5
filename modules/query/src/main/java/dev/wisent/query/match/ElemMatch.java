package dev.wisent.query.match;

import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathWalk;

/** {@code $elemMatch}: one element of an array meets all the conditions. */
public sealed interface ElemMatch extends PathMatch permits ElemMatchObject, ElemMatchValue {
  /** The position of the first element that matches, or -1. */
  int firstMatch(RawValue array);

  static MatchExpression parse(MatchParser parser, FieldPath path, Operand operand) {
    RawValue value = operand.value();
    if (!value.isDocument()) {
      throw MatchErrors.badValue("$elemMatch needs an Object");
    }
    MatchParser inner = parser.inSubdocument();
    return MatchOperators.isConditionOnValue(value)
        ? new ElemMatchValue(
            path, inner.parseOperators(FieldPath.of(""), value.asDocument()), parser.meter())
        : new ElemMatchObject(path, inner.parseFilter(value.asDocument()), parser.meter());
  }

  @Override
  default String operator() {
    return "$elemMatch";
  }

  @Override
  default boolean expandsLeafArrays() {
    return false;
  }

  @Override
  default boolean matchesValue(RawValue value) {
    return value != null && value.isArray() && firstMatch(value) >= 0;
  }

  @Override
  default boolean matches(RawValue root, int boundParts, MatchDetails details) {
    meter().add(root.length());
    if (details == null) {
      return PathWalk.find(path(), root, boundParts, false, this) != PathWalk.NOT_FOUND;
    }
    int found =
        PathWalk.find(path(), root, boundParts, false, value -> recordMatch(value, details));
    if (found >= 0) {
      details.record(found);
    }
    return found != PathWalk.NOT_FOUND;
  }

  private boolean recordMatch(RawValue value, MatchDetails details) {
    if (value == null || !value.isArray()) {
      return false;
    }
    int index = firstMatch(value);
    if (index >= 0) {
      details.record(index);
    }
    return index >= 0;
  }
}
