package dev.wisent.query.expression;

import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;

/** {@code "$$x"} or {@code "$$x.a.b"} for a variable that an expression around it binds. */
final class VariableExpression extends Expression {
  private final int slot;
  private final FieldPath path;
  private final String text;

  /**
   * @param path null for the variable itself
   * @param text how it was written
   */
  VariableExpression(int slot, FieldPath path, String text) {
    this.slot = slot;
    this.path = path;
    this.text = text;
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue value = frame.get(slot);
    return path == null ? value : ValuePath.follow(path, 0, value);
  }

  @Override
  public RawValue serialize() {
    return RawValue.ofString(text);
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    // What it is bound to says what it needs.
  }
}
