package dev.wisent.query.expression;

import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;

/** {@code "$a.b"}: a value of the document. */
public final class FieldPathExpression extends Expression {
  private final FieldPath path;
  private final boolean named;

  /**
   * @param named whether it was written {@code $$ROOT.a.b}
   */
  public FieldPathExpression(FieldPath path, boolean named) {
    this.path = path;
    this.named = named;
  }

  public FieldPath path() {
    return path;
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue first = frame.root().get(path.part(0));
    return path.length() == 1 || first == null ? first : ValuePath.follow(path, 1, first);
  }

  @Override
  public RawValue serialize() {
    return RawValue.ofString((named ? "$$ROOT." : "$") + path);
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    dependencies.addPath(path.dotted());
  }
}
