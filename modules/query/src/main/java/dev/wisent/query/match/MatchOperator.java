package dev.wisent.query.match;

import dev.wisent.query.path.FieldPath;

/**
 * One row of {@link MatchOperators}.
 *
 * @param since the first MongoDB release that had it
 * @param support whether it works here
 * @param topLevelParser for operators in the place of a field name; null where they cannot stand
 * @param fieldParser for operators on a field; null where they cannot stand there
 */
public record MatchOperator(
    String name,
    Family family,
    String since,
    Support support,
    TopLevelParser topLevelParser,
    FieldParser fieldParser) {

  /** Groups of operators, as the documentation has them. */
  public enum Family {
    COMPARISON,
    LOGICAL,
    ELEMENT,
    EVALUATION,
    ARRAY,
    BITWISE,
    GEO,
    DBREF,
    /** Not an operator but the argument of one. */
    ARGUMENT
  }

  /** Whether an operator works. */
  public enum Support {
    SUPPORTED,
    /** Known, and refused with a clear error. */
    NOT_YET
  }

  /** Parses an operator that stands in the place of a field name. */
  @FunctionalInterface
  interface TopLevelParser {
    /** Returns null where there is nothing to check. */
    MatchExpression parse(MatchParser parser, Operand operand);
  }

  /** Parses an operator on a field. */
  @FunctionalInterface
  interface FieldParser {
    /** Returns null where there is nothing to check. */
    MatchExpression parse(MatchParser parser, FieldPath path, Operand operand);
  }
}
