package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;

/** {@code $alwaysTrue} and {@code $alwaysFalse}; also the empty filter and the empty $all. */
public enum AlwaysMatch implements MatchExpression {
  TRUE,
  FALSE;

  static MatchExpression parse(boolean result, Operand operand) {
    if (IntegerOperand.toLong(operand) != 1) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, operand.operator() + " must be an integer value of 1");
    }
    return result ? TRUE : FALSE;
  }

  @Override
  public boolean matches(RawValue root, int boundParts, MatchDetails details) {
    return this == TRUE;
  }

  @Override
  public boolean matchesValue(RawValue value) {
    return this == TRUE;
  }
}
