package dev.wisent.query.expression;

import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;
import java.util.function.Supplier;

/**
 * A variable of the system whose value the context knows, such as {@code $$NOW}. It is asked for at
 * each evaluation, because an expression may belong to a collection and outlive the operation.
 */
final class ComputedVariable extends Expression {
  private final Supplier<RawValue> source;
  private final FieldPath path;
  private final String text;
  private final boolean fixed;

  /**
   * @param fixed whether the value never changes
   */
  ComputedVariable(Supplier<RawValue> source, boolean fixed, FieldPath path, String text) {
    this.source = source;
    this.fixed = fixed;
    this.path = path;
    this.text = text;
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue value = source.get();
    return path == null ? value : ValuePath.follow(path, 0, value);
  }

  /** Where the clock stands still, the value is known now. */
  @Override
  public Expression optimize() {
    return fixed ? new ConstantExpression(evaluate(null)) : this;
  }

  @Override
  public RawValue serialize() {
    return RawValue.ofString(text);
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    // Nothing of a document.
  }
}
