package dev.wisent.pipeline;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.match.IntegerOperand;
import dev.wisent.query.match.Operand;

/** How many documents a stage lets through or leaves out: a whole number, not negative. */
final class CountArgument {
  private CountArgument() {}

  static long parse(String stage, RawValue argument, ErrorCode code) {
    try {
      return IntegerOperand.toNonNegativeLong(new Operand(stage, argument, RawDocument.EMPTY));
    } catch (CommandException e) {
      throw new CommandException(
          code, "invalid argument to " + stage + " stage: " + e.getMessage());
    }
  }
}
