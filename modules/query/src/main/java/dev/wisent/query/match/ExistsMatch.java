package dev.wisent.query.match;

import dev.wisent.bson.RawValue;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;

/** {@code $exists}: the field is there, with whatever value, null included. */
public record ExistsMatch(FieldPath path, WorkMeter meter) implements PathMatch {
  static MatchExpression parse(MatchParser parser, FieldPath path, Operand operand) {
    var exists = new ExistsMatch(path, parser.meter());
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
