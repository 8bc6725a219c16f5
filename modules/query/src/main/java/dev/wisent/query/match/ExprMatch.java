package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;

/** {@code $expr}: an aggregation expression that has to be true. */
public record ExprMatch(Expression expression) implements MatchExpression {
  /**
   * What an index can help with stands beside the expression, as conditions that are weaker than
   * it.
   */
  static MatchExpression parse(MatchParser parser, Operand operand) {
    if (parser.isInSubdocument()) {
      throw MatchErrors.badValue("$expr can only be applied to the top-level document");
    }
    Expression expression = ExpressionParser.of(parser.context()).parse(operand.value());
    try {
      expression = expression.optimize();
    } catch (CommandException e) {
      throw e.during("Failed to optimize expression");
    }
    if (expression.isConstant()) {
      return expression.test(null) ? AlwaysMatch.TRUE : AlwaysMatch.FALSE;
    }
    return AndMatch.of(
        ExprConditions.with(new ExprMatch(expression), parser.context().collation() != null));
  }

  @Override
  public boolean matches(RawValue root, int boundParts, MatchDetails details) {
    return expression.test(new Frame(root.asDocument()));
  }

  @Override
  public boolean matchesValue(RawValue value) {
    throw new IllegalStateException("$expr is about documents");
  }
}
