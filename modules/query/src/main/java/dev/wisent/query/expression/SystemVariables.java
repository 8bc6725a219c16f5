package dev.wisent.query.expression;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.FixedClock;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.path.FieldPath;

/** The variables that are always there. */
final class SystemVariables {
  static final String CURRENT = "CURRENT";

  private SystemVariables() {}

  /**
   * @param path null for the variable itself
   */
  static Expression read(String name, FieldPath path, String text, QueryContext context) {
    return switch (name) {
      case "ROOT", CURRENT ->
          path == null
              ? new RootExpression(name)
              : new FieldPathExpression(path, name.equals("ROOT"));
      case "REMOVE" -> ConstantExpression.MISSING;
      case "NOW" ->
          new ComputedVariable(
              () -> RawValue.ofDate(context.nowMillis().getAsLong()),
              context.nowMillis() instanceof FixedClock,
              path,
              text);
      case "CLUSTER_TIME" -> clusterTime(path, text, context);
      // There is no user without access control.
      case "USER_ROLES" -> new ConstantExpression(RawValue.ofArray(RawDocument.EMPTY));
      default ->
          throw new CommandException(
              ErrorCode.EXPRESSION_VARIABLE_UNDEFINED, "Use of undefined variable: " + name);
    };
  }

  private static Expression clusterTime(FieldPath path, String text, QueryContext context) {
    if (context.clusterTime() == null) {
      throw new CommandException(
          ErrorCode.EXPRESSION_VARIABLE_UNAVAILABLE,
          "Builtin variable '$$CLUSTER_TIME' is not available");
    }
    return new ComputedVariable(
        () -> RawValue.ofTimestamp(context.clusterTime().getAsLong()), false, path, text);
  }
}
