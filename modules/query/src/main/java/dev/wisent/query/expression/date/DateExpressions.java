package dev.wisent.query.expression.date;

import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.ExpressionRow.Family;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The table of expressions about dates. */
public final class DateExpressions {
  public static final List<ExpressionRow> ROWS =
      Stream.concat(Arrays.stream(DateParts.values()).map(DatePartExpression::row), own()).toList();

  private DateExpressions() {}

  private static Stream<ExpressionRow> own() {
    return Stream.of(
        DateAddExpression.row("$dateAdd", false),
        DateAddExpression.row("$dateSubtract", true),
        new ExpressionRow("$dateDiff", Family.DATE, "5.0", DateDiffExpression::parse),
        new ExpressionRow("$dateFromParts", Family.DATE, "3.6", DateFromPartsExpression::parse),
        new ExpressionRow("$dateFromString", Family.DATE, "3.6", DateFromStringExpression::parse),
        new ExpressionRow("$dateToParts", Family.DATE, "3.6", DateToPartsExpression::parse),
        new ExpressionRow("$dateToString", Family.DATE, "3.0", DateToStringExpression::parse),
        new ExpressionRow("$dateTrunc", Family.DATE, "5.0", DateTruncExpression::parse));
  }
}
