package dev.wisent.query.expression;

import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;

/**
 * One row of the tables of expressions.
 *
 * @param since the first MongoDB release that had it
 */
public record ExpressionRow(String name, Family family, String since, Parser parser) {

  /** Groups of expressions, as the documentation has them. */
  public enum Family {
    ACCUMULATOR,
    ARITHMETIC,
    ARRAY,
    BITWISE,
    BOOLEAN,
    COMPARISON,
    CONDITIONAL,
    CUSTOM,
    DATA_SIZE,
    DATE,
    LITERAL,
    MISCELLANEOUS,
    OBJECT,
    SET,
    STRING,
    TEXT,
    TIMESTAMP,
    TRIGONOMETRY,
    TYPE,
    VARIABLE
  }

  /** Reads the argument of an expression. */
  @FunctionalInterface
  public interface Parser {
    Expression parse(ExpressionParser parser, RawValue argument);
  }

  /** A function of exactly one value. */
  public static ExpressionRow unary(
      String name, Family family, String since, FunctionExpression.Unary function) {
    return new ExpressionRow(
        name,
        family,
        since,
        (parser, argument) ->
            FunctionExpression.of(name, parser.arguments(name, argument, 1)[0], function));
  }

  /** A function of exactly two values. */
  public static ExpressionRow binary(
      String name, Family family, String since, FunctionExpression.Binary function) {
    return new ExpressionRow(
        name,
        family,
        since,
        (parser, argument) -> {
          Expression[] arguments = parser.arguments(name, argument, 2);
          return FunctionExpression.of(name, arguments[0], arguments[1], function);
        });
  }

  /** A function of values that compares strings. */
  @FunctionalInterface
  public interface CollatedBinary {
    /** The collation is null for the simple one. */
    RawValue apply(Collation collation, RawValue a, RawValue b);
  }

  /** A function of values that compares strings. */
  @FunctionalInterface
  public interface CollatedVariadic {
    /** The collation is null for the simple one. */
    RawValue apply(Collation collation, RawValue[] values);
  }

  /** A function of exactly two values that depends on the collation. */
  public static ExpressionRow collatedBinary(
      String name, Family family, String since, CollatedBinary function) {
    return new ExpressionRow(
        name,
        family,
        since,
        (parser, argument) -> {
          Expression[] arguments = parser.arguments(name, argument, 2);
          Collation collation = parser.context().collation();
          return FunctionExpression.of(
              name, arguments[0], arguments[1], (a, b) -> function.apply(collation, a, b));
        });
  }

  /** A function of any number of values that depends on the collation. */
  public static ExpressionRow collatedVariadic(
      String name, Family family, String since, CollatedVariadic function) {
    return new ExpressionRow(
        name,
        family,
        since,
        (parser, argument) -> {
          Collation collation = parser.context().collation();
          return FunctionExpression.of(
              name, parser.arguments(argument), values -> function.apply(collation, values));
        });
  }

  /** A function of {@code min} to {@code max} values. */
  public static ExpressionRow ranged(
      String name,
      Family family,
      String since,
      int min,
      int max,
      FunctionExpression.Variadic function) {
    return new ExpressionRow(
        name,
        family,
        since,
        (parser, argument) ->
            FunctionExpression.of(name, parser.arguments(name, argument, min, max), function));
  }

  /** A function of exactly {@code count} values. */
  public static ExpressionRow exactly(
      String name, Family family, String since, int count, FunctionExpression.Variadic function) {
    return new ExpressionRow(
        name,
        family,
        since,
        (parser, argument) ->
            FunctionExpression.of(name, parser.arguments(name, argument, count), function));
  }

  /** A function of any number of values. */
  public static ExpressionRow variadic(
      String name, Family family, String since, FunctionExpression.Variadic function) {
    return new ExpressionRow(
        name,
        family,
        since,
        (parser, argument) -> FunctionExpression.of(name, parser.arguments(argument), function));
  }
}
