package dev.wisent.query.expression.string;

import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.ExpressionRow.Family;
import dev.wisent.query.expression.string.RegexExpression.Result;
import java.util.List;

/** The table of expressions about strings. */
public final class StringExpressions {
  private static final ExpressionRow SUBSTR_BYTES =
      ExpressionRow.exactly("$substrBytes", Family.STRING, "3.4", 3, StringFunctions::substrBytes);

  public static final List<ExpressionRow> ROWS =
      List.of(
          ExpressionRow.variadic("$concat", Family.STRING, "2.4", StringFunctions::concat),
          ExpressionRow.ranged(
              "$indexOfBytes", Family.STRING, "3.4", 2, 4, StringFunctions::indexOfBytes),
          ExpressionRow.ranged(
              "$indexOfCP", Family.STRING, "3.4", 2, 4, StringFunctions::indexOfCP),
          TrimExpression.row("$trim", true, true),
          TrimExpression.row("$ltrim", true, false),
          TrimExpression.row("$rtrim", false, true),
          RegexExpression.row(Result.FIRST),
          RegexExpression.row(Result.ALL),
          RegexExpression.row(Result.WHETHER),
          ReplaceExpression.row("$replaceOne", false),
          ReplaceExpression.row("$replaceAll", true),
          ExpressionRow.binary("$split", Family.STRING, "3.4", StringFunctions::split),
          ExpressionRow.unary("$strLenBytes", Family.STRING, "3.4", StringFunctions::strLenBytes),
          ExpressionRow.unary("$strLenCP", Family.STRING, "3.4", StringFunctions::strLenCP),
          ExpressionRow.binary("$strcasecmp", Family.STRING, "2.2", StringFunctions::strcasecmp),
          // An old name, which errors and explain do not know.
          new ExpressionRow("$substr", Family.STRING, "2.2", SUBSTR_BYTES.parser()),
          SUBSTR_BYTES,
          ExpressionRow.exactly("$substrCP", Family.STRING, "3.4", 3, StringFunctions::substrCP),
          ExpressionRow.unary("$toLower", Family.STRING, "2.2", StringFunctions::toLower),
          ExpressionRow.unary("$toUpper", Family.STRING, "2.2", StringFunctions::toUpper));

  private StringExpressions() {}
}
