package dev.wisent.query.match;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.geo.GeoArea;
import dev.wisent.query.geo.GeoArgument;
import dev.wisent.query.geo.GeoValue;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;

/**
 * {@code $geoWithin}, {@code $within} and {@code $geoIntersects}: a place lies in an area, or has a
 * point in common with it. What cannot be read as a place does not match.
 *
 * @param source the operator with its argument, as it was written
 * @param within whether the place has to be inside
 */
public record GeoMatch(
    FieldPath path, RawDocument source, boolean within, GeoArea area, WorkMeter meter)
    implements PathMatch {
  static MatchExpression parse(
      MatchParser parser, FieldPath path, Operand operand, boolean within) {
    RawDocument operators = operand.siblings();
    var first = operators.elements();
    if (!first.next() || !first.name().equals(operand.operator())) {
      throw MatchErrors.badValue("can't parse extra field: " + operand.text());
    }
    return new GeoMatch(
        path, operators, within, GeoArgument.parse(operators, within), parser.meter());
  }

  @Override
  public String operator() {
    return within ? "$geoWithin" : "$geoIntersects";
  }

  @Override
  public boolean matchesValue(RawValue value) {
    GeoValue place = GeoValue.parseOrNull(value);
    return place != null && (within ? area.contains(place) : area.intersects(place));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GeoMatch that
        && path.equals(that.path)
        && within == that.within
        && source.equals(that.source);
  }

  @Override
  public int hashCode() {
    return path.hashCode() * 31 + source.hashCode();
  }
}
