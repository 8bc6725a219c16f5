package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.geo.NearQuery;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;

/**
 * {@code $near}, {@code $nearSphere} and {@code $geoNear}: documents by their distance. An index
 * finds and orders them, so as a condition it is met by every document.
 *
 * @param source the operators as they were written
 */
public record NearMatch(FieldPath path, RawDocument source, NearQuery query, WorkMeter meter)
    implements PathMatch {
  /** Where an operator that needs its siblings is not the first of them, or has no point at all. */
  static MatchExpression refuse(Operand operand) {
    throw MatchErrors.badValue("near must be first in: " + ValueText.of(operand.siblings()));
  }

  static NearMatch parse(MatchParser parser, FieldPath path, RawDocument operators) {
    if (parser.isInSubdocument()) {
      throw notTopLevel();
    }
    parser.nearSeen();
    return new NearMatch(path, operators, NearQuery.parse(path, operators), parser.meter());
  }

  /** Throws unless the near is the whole filter, or one of the conditions that all have to hold. */
  static void checkPlace(MatchExpression filter, int count) {
    if (count > 1) {
      throw MatchErrors.badValue("Too many geoNear expressions");
    }
    if (of(filter) == null) {
      throw notTopLevel();
    }
  }

  /** The near of a filter that has been checked; null if it has none. */
  public static NearMatch of(MatchExpression filter) {
    return switch (filter) {
      case NearMatch near -> near;
      case AndMatch and ->
          and.children().stream()
              .map(NearMatch::of)
              .filter(near -> near != null)
              .findFirst()
              .orElse(null);
      default -> null;
    };
  }

  private static CommandException notTopLevel() {
    return MatchErrors.badValue("geoNear must be top-level expr");
  }

  @Override
  public String operator() {
    return "$geoNear";
  }

  @Override
  public boolean matches(RawValue root, int boundParts, MatchDetails details) {
    return true;
  }

  @Override
  public boolean matchesValue(RawValue value) {
    return true;
  }
}
