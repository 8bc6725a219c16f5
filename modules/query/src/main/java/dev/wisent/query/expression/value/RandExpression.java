package dev.wisent.query.expression.value;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import java.util.function.DoubleSupplier;

/** {@code $rand}: another number between 0 and 1 each time. */
final class RandExpression extends Expression {
  private final DoubleSupplier random;

  private RandExpression(DoubleSupplier random) {
    this.random = random;
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    if (!argument.isDocument() && !argument.isArray()) {
      throw new CommandException(
          ErrorCode.EXPECTED_OBJECT, "invalid parameter: expected an object ($rand)");
    }
    if (!argument.asDocument().isEmpty()) {
      throw new CommandException(
          ErrorCode.RAND_ARGUMENT, "$rand does not currently accept arguments");
    }
    return new RandExpression(parser.context().random());
  }

  @Override
  public RawValue evaluate(Frame frame) {
    return RawValue.ofDouble(random.getAsDouble());
  }

  @Override
  public RawValue serialize() {
    return RawValue.ofDocument(
        new BsonBuilder().appendDocument("$rand", RawDocument.EMPTY).toDocument());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    dependencies.addRandom();
  }
}
