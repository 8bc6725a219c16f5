package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.interrupt.WorkMeter;

/** {@code $expr}: an aggregation expression that has to be true. */
public record ExprMatch(Expression expression, WorkMeter meter) implements MatchExpression {
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
        ExprConditions.with(
            new ExprMatch(expression, parser.context().meter()),
            parser.context().collation() != null));
  }

  @Override
  public boolean matches(RawValue root, int boundParts, MatchDetails details) {
    return expression.test(frame(root.asDocument()));
  }

  /** What the expression is evaluated in for a document. */
  public Frame frame(RawDocument document) {
    return new Frame(meter, document);
  }

  @Override
  public boolean matchesValue(RawValue value) {
    throw new IllegalStateException("$expr is about documents");
  }
}
