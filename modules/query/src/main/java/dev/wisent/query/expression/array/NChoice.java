package dev.wisent.query.expression.array;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ExpressionParser;

/** Which of several values {@code $firstN} and its relatives give. */
public enum NChoice {
  FIRST("$firstN", ErrorCode.FIRST_N_NOT_OBJECT),
  LAST("$lastN", ErrorCode.FIRST_N_NOT_OBJECT),
  MIN("$minN", ErrorCode.MIN_N_NOT_OBJECT),
  MAX("$maxN", ErrorCode.MIN_N_NOT_OBJECT);

  private final String operator;
  private final ErrorCode notObject;

  NChoice(String operator, ErrorCode notObject) {
    this.operator = operator;
    this.notObject = notObject;
  }

  public String operator() {
    return operator;
  }

  public NArguments parse(ExpressionParser parser, RawValue argument) {
    return NArguments.parse(operator, notObject, parser, argument);
  }
}
