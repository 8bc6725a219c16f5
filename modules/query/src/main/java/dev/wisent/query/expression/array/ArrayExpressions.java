package dev.wisent.query.expression.array;

import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.ExpressionRow.Family;
import dev.wisent.query.expression.FunctionExpression;
import java.util.List;

/** The table of expressions about arrays and sets. */
public final class ArrayExpressions {
  public static final List<ExpressionRow> ROWS =
      List.of(
          ExpressionRow.binary("$arrayElemAt", Family.ARRAY, "3.2", ArrayFunctions::arrayElemAt),
          ExpressionRow.variadic(
              "$concatArrays", Family.ARRAY, "3.2", ArrayFunctions::concatArrays),
          new ExpressionRow("$filter", Family.ARRAY, "3.2", FilterExpression::parse),
          ExpressionRow.unary("$first", Family.ARRAY, "4.4", ArrayFunctions::first),
          FirstNExpression.row(NChoice.FIRST),
          ExpressionRow.collatedBinary("$in", Family.ARRAY, "3.4", ArrayFunctions::in),
          new ExpressionRow(
              "$indexOfArray",
              Family.ARRAY,
              "3.4",
              (parser, argument) -> {
                Collation collation = parser.context().collation();
                return FunctionExpression.of(
                    "$indexOfArray",
                    parser.arguments("$indexOfArray", argument, 2, 4),
                    values -> ArrayFunctions.indexOfArray(collation, values));
              }),
          ExpressionRow.unary("$isArray", Family.ARRAY, "3.2", ArrayFunctions::isArray),
          ExpressionRow.unary("$last", Family.ARRAY, "4.4", ArrayFunctions::last),
          FirstNExpression.row(NChoice.LAST),
          new ExpressionRow("$map", Family.ARRAY, "2.6", MapExpression::parse),
          FirstNExpression.row(NChoice.MAX),
          FirstNExpression.row(NChoice.MIN),
          ExpressionRow.ranged("$range", Family.ARRAY, "3.4", 2, 3, ArrayFunctions::range),
          new ExpressionRow("$reduce", Family.ARRAY, "3.4", ReduceExpression::parse),
          ExpressionRow.unary("$reverseArray", Family.ARRAY, "3.4", ArrayFunctions::reverseArray),
          ExpressionRow.unary("$size", Family.ARRAY, "2.6", ArrayFunctions::size),
          ExpressionRow.ranged("$slice", Family.ARRAY, "3.2", 2, 3, ArrayFunctions::slice),
          new ExpressionRow("$sortArray", Family.ARRAY, "5.2", SortArrayExpression::parse),
          new ExpressionRow("$zip", Family.ARRAY, "3.4", ZipExpression::parse),
          ExpressionRow.unary("$allElementsTrue", Family.SET, "2.6", SetFunctions::allElementsTrue),
          ExpressionRow.unary("$anyElementTrue", Family.SET, "2.6", SetFunctions::anyElementTrue),
          ExpressionRow.collatedBinary(
              "$setDifference", Family.SET, "2.6", SetFunctions::difference),
          new ExpressionRow("$setEquals", Family.SET, "2.6", SetFunctions::parseEquals),
          ExpressionRow.collatedVariadic(
              "$setIntersection", Family.SET, "2.6", SetFunctions::intersection),
          ExpressionRow.collatedBinary("$setIsSubset", Family.SET, "2.6", SetFunctions::isSubset),
          ExpressionRow.collatedVariadic("$setUnion", Family.SET, "2.6", SetFunctions::union));

  private ArrayExpressions() {}
}
