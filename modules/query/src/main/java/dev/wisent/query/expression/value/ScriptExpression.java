package dev.wisent.query.expression.value;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;
import dev.wisent.query.script.Script;
import java.util.List;

/** {@code $function}: a function in JavaScript. */
final class ScriptExpression extends Expression {
  private final RawValue body;
  private final Script script;
  private Expression arguments;

  private ScriptExpression(RawValue body, Script script, Expression arguments) {
    this.body = body;
    this.script = script;
    this.arguments = arguments;
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.FUNCTION_NOT_OBJECT,
          "$function requires an object as an argument, found: " + Values.typeName(argument));
    }
    RawDocument given = argument.asDocument();
    RawValue body = required(given, "body", ErrorCode.FUNCTION_WITHOUT_BODY, "body function");
    RawValue arguments = required(given, "args", ErrorCode.FUNCTION_WITHOUT_ARGS, "args field");
    RawValue language = required(given, "lang", ErrorCode.FUNCTION_WITHOUT_LANG, "lang field");
    if (!language.isString() || !language.asString().equals("js")) {
      throw new CommandException(
          ErrorCode.FUNCTION_LANG, "Currently the only supported language specifier is 'js'.");
    }
    ElementCursor fields = given.elements();
    while (fields.next()) {
      if (!List.of("body", "args", "lang").contains(fields.name())) {
        throw new CommandException(
            ErrorCode.IDL_UNKNOWN_FIELD,
            "BSON field '$function." + fields.name() + "' is an unknown field.");
      }
    }
    if (!body.isString() && body.type() != ElementType.CODE) {
      throw new CommandException(
          ErrorCode.FUNCTION_BODY_TYPE, "The body function must be of type string or code");
    }
    Script script = parser.context().scripts().compile(body.asString());
    return new ScriptExpression(body, script, parser.parse(arguments));
  }

  private static RawValue required(RawDocument given, String name, ErrorCode code, String what) {
    RawValue value = given.get(name);
    if (value == null) {
      throw new CommandException(code, "The " + what + " must be specified.");
    }
    return value;
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue values = arguments.counted(frame);
    if (values == null || !values.isArray()) {
      throw new CommandException(
          ErrorCode.FUNCTION_ARGS_TYPE, "The args field must be of type array");
    }
    return script.call(List.of(ArrayBuilder.elements(values)));
  }

  /** Not computed in advance: a function need not give the same result again. */
  @Override
  public Expression optimize() {
    arguments = arguments.optimize();
    return this;
  }

  @Override
  public RawValue serialize() {
    var out = new BsonBuilder().startDocument("$function").append("body", body);
    out.append("args", arguments.serialize()).appendString("lang", "js").end();
    return RawValue.ofDocument(out.toDocument());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    arguments.addDependencies(dependencies);
    dependencies.addRandom();
  }
}
