package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;

/** An accumulator with its arguments, parsed. Immutable; every run begins states of its own. */
public interface Accumulator {
  /** {@code $sum}, say. */
  String name();

  /** New states, without any group. */
  AccumulatorStates begin();

  /**
   * The expression whose value is what is added, if that is all that a document gives. Then the
   * states are {@link ValueStates}, and a caller that has the value can add it without the
   * document.
   */
  default Expression input() {
    return null;
  }

  /** What is computed once for a group, from its {@code _id}; null where nothing is. */
  default Expression initializer() {
    return null;
  }

  /** Appends the arguments under the accumulator's name, as explain shows them. */
  void explain(BsonBuilder out);

  /** Tells which parts of a document are read. */
  void addDependencies(Dependencies dependencies);

  /** The accumulator as explain shows it. */
  default RawDocument explained() {
    var out = new BsonBuilder();
    explain(out);
    return out.toDocument();
  }

  /** The accumulator as a document that can be parsed again. */
  default RawDocument serialize() {
    return explained();
  }
}
