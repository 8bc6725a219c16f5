package dev.wisent.query.expression.convert;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.ExpressionRow.Family;
import dev.wisent.query.expression.Values;
import java.util.List;

/** The table of expressions about types. */
public final class ConvertExpressions {
  public static final List<ExpressionRow> ROWS =
      List.of(
          new ExpressionRow("$convert", Family.TYPE, "4.0", ConvertExpression::parse),
          to("$toBool", "bool"),
          to("$toDate", "date"),
          to("$toDecimal", "decimal"),
          to("$toDouble", "double"),
          to("$toInt", "int"),
          to("$toLong", "long"),
          to("$toObjectId", "objectId"),
          ConvertExpression.row("$toString", "4.0", RawValue.ofString("string"), "auto"),
          ConvertExpression.row(
              "$toUUID",
              "8.0",
              RawValue.ofDocument(
                  new BsonBuilder()
                      .appendString("type", "binData")
                      .appendInt32("subtype", 4)
                      .toDocument()),
              "uuid"),
          ExpressionRow.unary(
              "$isNumber",
              Family.TYPE,
              "4.4",
              value -> RawValue.ofBoolean(value != null && value.isNumber())),
          ExpressionRow.unary(
              "$type", Family.TYPE, "3.4", value -> RawValue.ofString(Values.typeName(value))));

  private ConvertExpressions() {}

  private static ExpressionRow to(String name, String type) {
    return ConvertExpression.row(name, "4.0", RawValue.ofString(type), null);
  }
}
