package dev.wisent.query.expression;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.query.match.QueryContext;

/** The variables of a command's {@code let}: expressions that see no document, computed once. */
final class CommandVariables {
  private CommandVariables() {}

  /** Null where there are none. */
  static Scope scope(QueryContext context) {
    Scope scope = null;
    ElementCursor variables = context.let().elements();
    while (variables.next()) {
      String name = variables.name();
      VariableNames.checkForWrite(name);
      Expression expression =
          ExpressionParser.of(context, scope).parse(variables.value()).optimize();
      if (!Dependencies.of(expression).isEmpty()) {
        throw new CommandException(
            ErrorCode.LET_NEEDS_DOCUMENT,
            "Command let Expression tried to access a field, but this is not allowed because"
                + " Command let Expressions run before the query examines any documents.");
      }
      scope = Scope.ofValue(scope, name, expression.evaluate(new Frame()));
    }
    return scope;
  }
}
