package dev.wisent.pipeline.window;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.accumulator.TopAccumulator;
import dev.wisent.pipeline.sort.SortKeyGenerator;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;

/**
 * What {@code $top} and its relatives keep of a document: an array of its sort key and its output.
 * Belongs to one thread.
 */
final class KeyedOutput extends Expression {
  private static final byte GENERIC = 0;

  private final TopAccumulator arguments;
  private final SortKeyGenerator keys;
  private final BsonBuilder out = new BsonBuilder();

  KeyedOutput(TopAccumulator arguments) {
    this.arguments = arguments;
    this.keys = new SortKeyGenerator(arguments.sortBy());
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue output = Values.nullIfMissing(arguments.output().evaluate(frame));
    out.reset(0);
    out.appendBinary("0", GENERIC, keys.key(frame.root())).append("1", output);
    return RawValue.ofArray(out.toDocument());
  }

  @Override
  public RawValue serialize() {
    return arguments.output().serialize();
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    arguments.addDependencies(dependencies);
  }
}
