package dev.wisent.query.update;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.match.FilterPlace;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import java.util.Set;

/** Conditions on array elements, read from filters. */
final class ElementConditions {
  /** Operators that stand in the place of a field; anything else with a dollar is on a value. */
  private static final Set<String> TOP_LEVEL =
      Set.of(
          "$and",
          "$or",
          "$nor",
          "$not",
          "$expr",
          "$jsonSchema",
          "$text",
          "$where",
          "$sampleRate",
          "$alwaysTrue",
          "$alwaysFalse",
          "$comment");

  private ElementConditions() {}

  /**
   * The elements that a {@code $pull} removes. Operators and regular expressions are about the
   * element itself; another document is a filter on elements that are documents; everything else is
   * a value to be equal to.
   */
  static ElementCondition ofPull(RawValue argument, UpdateContext context) {
    if (argument.isDocument() && !isAboutValue(argument)) {
      MatchExpression filter = parseFilter(argument.asDocument(), context);
      return element -> element.isDocument() && filter.matches(element.asDocument());
    }
    if (argument.isDocument() || argument.type() == ElementType.REGEX) {
      var wrapped = new BsonBuilder(argument.length() + 8).append("", argument).toDocument();
      return parseFilter(wrapped, context)::matchesElement;
    }
    return element -> Collation.equal(context.collation(), element, argument);
  }

  private static boolean isAboutValue(RawValue argument) {
    ElementCursor cursor = argument.elements();
    return MatchParser.isOperatorDocument(argument)
        && cursor.next()
        && !TOP_LEVEL.contains(cursor.name());
  }

  /** Parses a filter that may use no operators on the document or collection as a whole. */
  static MatchExpression parseFilter(RawDocument filter, UpdateContext context) {
    return MatchParser.parse(filter, context.query(), FilterPlace.PLAIN);
  }
}
