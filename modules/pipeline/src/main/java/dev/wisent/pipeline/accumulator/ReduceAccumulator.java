package dev.wisent.pipeline.accumulator;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.script.Script;
import java.util.List;

/**
 * The reduce function of {@code mapReduce}, which only that command writes into pipelines: {@code
 * {key, value, reduce, scope}}.
 *
 * @param scope what the function is called with beside key and values
 */
record ReduceAccumulator(
    Expression key, Expression value, String code, Script reduce, RawValue scope)
    implements Accumulator {
  static final String NAME = "$_internalJsReduce";
  private static final List<String> FIELDS = List.of("key", "value", "reduce", "scope");

  static Accumulator parse(ExpressionParser parser, RawValue argument) {
    RawDocument given = argument.isDocument() ? argument.asDocument() : RawDocument.EMPTY;
    for (String name : FIELDS) {
      if (given.get(name) == null) {
        throw new CommandException(
            ErrorCode.FAILED_TO_PARSE, NAME + " requires the field '" + name + "'");
      }
    }
    if (!given.get("reduce").isString()) {
      throw new CommandException(ErrorCode.TYPE_MISMATCH, NAME + " requires a string of code");
    }
    String code = given.get("reduce").asString();
    return new ReduceAccumulator(
        parser.parse(given.get("key")).optimize(),
        parser.parse(given.get("value")).optimize(),
        code,
        parser.context().scripts().compile(code),
        given.get("scope").detached());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public AccumulatorStates begin() {
    return new ReduceStates(this);
  }

  @Override
  public void explain(BsonBuilder out) {
    out.startDocument(NAME);
    out.startDocument("data").append("k", key.serialize()).append("v", value.serialize()).end();
    out.appendString("eval", code).end();
  }

  @Override
  public RawDocument serialize() {
    var out = new BsonBuilder().startDocument(NAME);
    out.append("key", key.serialize()).append("value", value.serialize());
    return out.appendString("reduce", code).append("scope", scope).end().toDocument();
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    key.addDependencies(dependencies);
    value.addDependencies(dependencies);
    dependencies.addRandom();
  }
}
