package dev.wisent.query.expression;

import dev.wisent.bson.RawValue;
import dev.wisent.query.metadata.Metadata;

/** {@code $$ROOT}, and {@code $$CURRENT} where it is the same. */
final class RootExpression extends Expression {
  private final String name;

  RootExpression(String name) {
    this.name = name;
  }

  @Override
  public RawValue evaluate(Frame frame) {
    return RawValue.ofDocument(Metadata.remove(frame.root()));
  }

  @Override
  public RawValue serialize() {
    return RawValue.ofString("$$" + name);
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    dependencies.addWholeDocument();
  }
}
