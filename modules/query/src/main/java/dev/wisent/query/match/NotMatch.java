package dev.wisent.query.match;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;

/**
 * The opposite of a condition: {@code $not}, and with it {@code $ne}, {@code $nin} and {@code
 * $exists: false}. On arrays the opposite is that no element meets the condition.
 */
public record NotMatch(MatchExpression child) implements MatchExpression {
  static MatchExpression parse(MatchParser parser, FieldPath path, Operand operand) {
    RawValue value = operand.value();
    if (value.type() == ElementType.REGEX) {
      return new NotMatch(parser.parseRegexLiteral(path, value));
    }
    if (!value.isDocument()) {
      throw MatchErrors.badValue("$not needs a regex or a document");
    }
    ElementCursor elements = value.elements();
    if (!elements.next()) {
      throw MatchErrors.badValue("$not cannot be empty");
    }
    return new NotMatch(AndMatch.of(parser.parseOperators(path, value.asDocument())));
  }

  @Override
  public boolean matches(RawValue root, int boundParts, MatchDetails details) {
    return !child.matches(root, boundParts, null);
  }

  @Override
  public boolean matchesValue(RawValue value) {
    return !child.matchesValue(value);
  }
}
