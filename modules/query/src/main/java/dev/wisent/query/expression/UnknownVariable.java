package dev.wisent.query.expression;

import dev.wisent.bson.RawValue;

/**
 * A variable of a stage around the pipeline, in a pipeline that is only looked at. Before it runs
 * it is parsed again, with the values that a document gives.
 */
final class UnknownVariable extends Expression {
  private final String text;

  /**
   * @param text how it was written
   */
  UnknownVariable(String text) {
    this.text = text;
  }

  @Override
  public RawValue evaluate(Frame frame) {
    throw new IllegalStateException(text + " has no value yet");
  }

  @Override
  public RawValue serialize() {
    return RawValue.ofString(text);
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    // Nothing of the documents that the pipeline reads.
  }
}
