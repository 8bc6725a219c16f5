package dev.wisent.pipeline.accumulator;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ConstantExpression;
import dev.wisent.query.expression.ExpressionParser;

/** <code>{$count: {}}</code>, which is <code>{$sum: 1}</code>. */
final class CountAccumulator {
  private static final ConstantExpression ONE = new ConstantExpression(RawValue.ofInt32(1));

  private CountAccumulator() {}

  static Accumulator parse(ExpressionParser parser, RawValue argument) {
    if (!argument.isDocument() || !argument.asDocument().isEmpty()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "$count takes no arguments, i.e. $count:{}");
    }
    return new UnaryAccumulator("$sum", ONE, SumStates::new);
  }
}
