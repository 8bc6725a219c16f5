package dev.wisent.query.expression;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;

/** The variables of a command's {@code let}: expressions that see no document. */
public final class CommandVariables {
  private CommandVariables() {}

  /**
   * The same variables with their values instead of expressions, so that all parts of a command see
   * the same ones.
   */
  public static RawDocument computed(QueryContext context) {
    var out = new BsonBuilder();
    ElementCursor variables = context.let().elements();
    Scope scope = null;
    while (variables.next()) {
      scope = next(scope, variables, context);
      RawValue value = scope.value();
      if (value == null) {
        out.appendString(scope.name(), "$$REMOVE");
      } else {
        out.startDocument(scope.name()).append("$literal", value).end();
      }
    }
    return out.toDocument();
  }

  /** Null where there are none. */
  static Scope scope(QueryContext context) {
    Scope scope = null;
    ElementCursor variables = context.let().elements();
    while (variables.next()) {
      scope = next(scope, variables, context);
    }
    for (String name : context.nesting().variables()) {
      scope = Scope.ofUnknown(scope, name);
    }
    return scope;
  }

  private static Scope next(Scope before, ElementCursor variable, QueryContext context) {
    String name = variable.name();
    VariableNames.checkForWrite(name);
    Expression expression = ExpressionParser.of(context, before).parse(variable.value()).optimize();
    if (!Dependencies.of(expression).isEmpty()) {
      throw new CommandException(
          ErrorCode.LET_NEEDS_DOCUMENT,
          "Command let Expression tried to access a field, but this is not allowed because"
              + " Command let Expressions run before the query examines any documents.");
    }
    return Scope.ofValue(before, name, expression.evaluate(new Frame(context.meter())));
  }
}
