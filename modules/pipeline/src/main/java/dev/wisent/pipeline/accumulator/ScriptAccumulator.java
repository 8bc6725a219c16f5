package dev.wisent.pipeline.accumulator;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ConstantExpression;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Values;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.script.Script;

/**
 * {@code $accumulator}: functions in JavaScript.
 *
 * @param finish null where there is no such function
 * @param initArgs what {@code init} is called with, computed from the group's {@code _id}
 * @param meter counts the work of computing them
 */
record ScriptAccumulator(
    Function init,
    Function accumulate,
    Function merge,
    Function finish,
    Expression initArgs,
    Expression accumulateArgs,
    WorkMeter meter)
    implements Accumulator {
  private static final String NAME = "$accumulator";

  /** A function and what it was compiled from. */
  record Function(String code, Script script) {}

  static Accumulator parse(ExpressionParser parser, RawValue argument) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.ACCUMULATOR_NOT_OBJECT,
          "$accumulator expects an object as an argument; found: " + Values.typeName(argument));
    }
    RawDocument given = argument.asDocument();
    ElementCursor fields = given.elements();
    while (fields.next()) {
      checkField(fields.name(), fields.value());
    }
    Function init = function("init", ErrorCode.ACCUMULATOR_WITHOUT_INIT, given, parser);
    Function accumulate =
        function("accumulate", ErrorCode.ACCUMULATOR_WITHOUT_ACCUMULATE, given, parser);
    Function merge = function("merge", ErrorCode.ACCUMULATOR_WITHOUT_MERGE, given, parser);
    Function finish =
        given.get("finalize") == null
            ? null
            : function("finalize", ErrorCode.ACCUMULATOR_WITHOUT_MERGE, given, parser);
    RawValue accumulateArgs = given.get("accumulateArgs");
    if (accumulateArgs == null) {
      throw missing("accumulateArgs", ErrorCode.ACCUMULATOR_WITHOUT_ARGS);
    }
    RawValue initArgs = given.get("initArgs");
    return new ScriptAccumulator(
        init,
        accumulate,
        merge,
        finish,
        initArgs == null
            ? new ConstantExpression(RawValue.ofArray(RawDocument.EMPTY))
            : parser.parse(initArgs).optimize(),
        parser.parse(accumulateArgs).optimize(),
        parser.context().meter());
  }

  private static void checkField(String name, RawValue value) {
    switch (name) {
      case "init", "accumulate", "merge", "finalize", "initArgs", "accumulateArgs" -> {}
      case "lang" -> {
        if (!value.isString()) {
          throw new CommandException(
              ErrorCode.ACCUMULATOR_LANG_TYPE,
              "$accumulator lang must be a string; found: " + Values.typeName(value));
        }
        if (!value.asString().equals("js")) {
          throw new CommandException(
              ErrorCode.ACCUMULATOR_LANG, "$accumulator only supports lang: 'js'");
        }
      }
      default ->
          throw new CommandException(
              ErrorCode.ACCUMULATOR_UNKNOWN, "$accumulator got an unexpected field: " + name);
    }
  }

  private static Function function(
      String name, ErrorCode missing, RawDocument given, ExpressionParser parser) {
    RawValue argument = given.get(name);
    if (argument == null) {
      throw missing(name, missing);
    }
    Expression expression = parser.parse(argument).optimize();
    if (!expression.isConstant()) {
      throw new CommandException(
          ErrorCode.ACCUMULATOR_NOT_CONSTANT,
          "$accumulator '" + name + "' must be a constant expression");
    }
    RawValue code = expression.evaluate(null);
    if (code == null || (!code.isString() && code.type() != ElementType.CODE)) {
      throw new CommandException(
          ErrorCode.ACCUMULATOR_NOT_CODE, "$accumulator '" + name + "' must be a String or Code");
    }
    String text = code.asString();
    return new Function(text, parser.context().scripts().compile(text));
  }

  private static CommandException missing(String name, ErrorCode code) {
    return new CommandException(code, "$accumulator missing required argument '" + name + "'");
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public AccumulatorStates begin() {
    return new ScriptStates(this);
  }

  @Override
  public Expression initializer() {
    return initArgs;
  }

  @Override
  public void explain(BsonBuilder out) {
    out.startDocument(NAME).appendString("init", init.code());
    out.append("initArgs", initArgs.serialize()).appendString("accumulate", accumulate.code());
    out.append("accumulateArgs", accumulateArgs.serialize());
    out.appendString("merge", merge.code());
    if (finish != null) {
      out.appendString("finalize", finish.code());
    }
    out.appendString("lang", "js").end();
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    accumulateArgs.addDependencies(dependencies);
    dependencies.addRandom();
  }
}
