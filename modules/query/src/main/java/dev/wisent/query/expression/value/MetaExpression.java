package dev.wisent.query.expression.value;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.projection.MetaArgument;
import dev.wisent.query.text.TextScore;

/** {@code {$meta: "textScore"}}; missing where there is no text search. */
final class MetaExpression extends Expression {
  private final RawValue argument;

  private MetaExpression(RawValue argument) {
    this.argument = argument;
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    MetaArgument.check(argument);
    return new MetaExpression(argument);
  }

  @Override
  public RawValue evaluate(Frame frame) {
    return TextScore.of(frame.root());
  }

  @Override
  public RawValue serialize() {
    return RawValue.ofDocument(new BsonBuilder().append("$meta", argument).toDocument());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    dependencies.addTextScore();
  }
}
