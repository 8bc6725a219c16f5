package dev.wisent.query.expression.object;

import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.ExpressionRow.Family;
import java.util.List;

/** The table of expressions about documents. */
public final class ObjectExpressions {
  public static final List<ExpressionRow> ROWS =
      List.of(
          new ExpressionRow("$getField", Family.OBJECT, "5.0", GetFieldExpression::parse),
          SetFieldExpression.row("$setField", false),
          SetFieldExpression.row("$unsetField", true),
          ExpressionRow.variadic(
              "$mergeObjects", Family.OBJECT, "3.6", ObjectFunctions::mergeObjects),
          ExpressionRow.unary(
              "$objectToArray", Family.OBJECT, "3.4.4", ObjectFunctions::objectToArray),
          ExpressionRow.unary(
              "$arrayToObject", Family.ARRAY, "3.4.4", ObjectFunctions::arrayToObject));

  private ObjectExpressions() {}
}
