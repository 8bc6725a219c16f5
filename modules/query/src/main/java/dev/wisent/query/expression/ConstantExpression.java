package dev.wisent.query.expression;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;

/** A value that is the same for all documents; {@code $literal} and {@code $const} too. */
public final class ConstantExpression extends Expression {
  /** The value that is not there. */
  public static final ConstantExpression MISSING = new ConstantExpression(null);

  private final RawValue value;
  private final boolean truth;

  /**
   * @param value null for the missing value
   */
  public ConstantExpression(RawValue value) {
    this.value = value;
    this.truth = Values.isTrue(value);
  }

  public RawValue value() {
    return value;
  }

  @Override
  public RawValue evaluate(Frame frame) {
    return value;
  }

  @Override
  public boolean test(Frame frame) {
    return truth;
  }

  @Override
  public boolean isConstant() {
    return true;
  }

  @Override
  public RawValue serialize() {
    if (value == null) {
      return RawValue.ofString("$$REMOVE");
    }
    return RawValue.ofDocument(
        new BsonBuilder(value.length() + 16).append("$const", value).toDocument());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    // Needs nothing.
  }
}
