package dev.wisent.query.match;

import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;

/** {@code $exists}: the field is there, with whatever value, null included. */
public record ExistsMatch(FieldPath path) implements PathMatch {
  static MatchExpression parse(FieldPath path, Operand operand) {
    var exists = new ExistsMatch(path);
    return operand.value().isTruthy() ? exists : new NotMatch(exists);
  }

  @Override
  public String operator() {
    return "$exists";
  }

  @Override
  public boolean matchesValue(RawValue value) {
    return value != null;
  }
}
