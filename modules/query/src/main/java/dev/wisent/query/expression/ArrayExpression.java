package dev.wisent.query.expression;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;

/** {@code [e1, e2, …]}: an array of values; missing ones are null. */
final class ArrayExpression extends Expression {
  private final Expression[] elements;

  ArrayExpression(Expression[] elements) {
    this.elements = elements;
  }

  @Override
  public RawValue evaluate(Frame frame) {
    var out = new BsonBuilder();
    for (int i = 0; i < elements.length; i++) {
      out.append(i, Values.nullIfMissing(elements[i].counted(frame)));
    }
    return RawValue.ofArray(out.toDocument());
  }

  @Override
  public boolean test(Frame frame) {
    return true;
  }

  @Override
  public Expression optimize() {
    boolean constant = true;
    for (int i = 0; i < elements.length; i++) {
      elements[i] = elements[i].optimize();
      constant &= elements[i].isConstant();
    }
    return constant ? new ConstantExpression(evaluate(Frame.ofConstants())) : this;
  }

  @Override
  public RawValue serialize() {
    var out = new BsonBuilder();
    for (int i = 0; i < elements.length; i++) {
      out.append(i, elements[i].serialize());
    }
    return RawValue.ofArray(out.toDocument());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    for (Expression element : elements) {
      element.addDependencies(dependencies);
    }
  }
}
