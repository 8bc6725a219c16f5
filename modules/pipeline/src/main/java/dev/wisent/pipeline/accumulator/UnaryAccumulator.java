package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;

/** <code>{$name: input}</code>: an accumulator of one value of each document. */
record UnaryAccumulator(String name, Expression input, AccumulatorRow.States states)
    implements Accumulator {
  @Override
  public AccumulatorStates begin() {
    return states.begin(input);
  }

  @Override
  public void explain(BsonBuilder out) {
    out.append(name, input.serialize());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    input.addDependencies(dependencies);
  }
}
