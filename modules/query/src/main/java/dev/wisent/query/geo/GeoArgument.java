package dev.wisent.query.geo;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import java.util.List;

/** Reads what {@code $geoWithin} and {@code $geoIntersects} are given. */
public final class GeoArgument {
  private GeoArgument() {}

  /**
   * @param operators the operator with its argument; nothing else may stand beside it
   * @param within whether values have to be inside, rather than to meet the area
   */
  public static GeoArea parse(RawDocument operators, boolean within) {
    ElementCursor elements = operators.elements();
    elements.next();
    String operator = elements.name();
    RawValue argument = elements.value();
    if (elements.next()) {
      throw GeoErrors.badValue(
          "can't parse extra field: " + elements.name() + ": " + ValueText.of(elements.value()));
    }
    if (!argument.isDocument()) {
      throw GeoErrors.badValue("geometry must be an object");
    }
    GeoArea area = area(operator, argument.asDocument());
    if (within) {
      if (!area.canContain()) {
        throw GeoErrors.badValue(
            "$within not supported with provided geometry: " + ValueText.of(operators));
      }
    } else if (!(area instanceof SphereArea) || area instanceof SphereCap) {
      throw GeoErrors.badValue(
          "$geoIntersect not supported with provided geometry: " + ValueText.of(operators));
    }
    return area;
  }

  private static GeoArea area(String operator, RawDocument argument) {
    GeoArea area = null;
    ElementCursor elements = argument.elements();
    while (elements.next()) {
      if (area != null && operator.equals("$geoWithin")) {
        throw GeoErrors.badValue(
            "$geoWithin doesn't accept multiple shapes "
                + operator
                + ": "
                + ValueText.of(argument));
      }
      // Documents come once, however many of their places match, so there is nothing to ask for.
      if (!elements.name().equals("$uniqueDocs")) {
        area = shape(elements.name(), elements.value());
      }
    }
    if (area == null) {
      throw GeoErrors.badValue("geo query doesn't have any geometry");
    }
    return area;
  }

  private static GeoArea shape(String name, RawValue value) {
    if (!value.isDocument() && !value.isArray()) {
      throw unknown(name, value);
    }
    return switch (name) {
      case "$box" -> box(value);
      case "$polygon" ->
          new FlatPolygon(GeoJson.elements(value).stream().map(GeoArgument::corner).toList());
      case "$center" -> {
        FlatPoint center = corner(first(value));
        yield new FlatCircle(center, radius(value));
      }
      case "$centerSphere" -> {
        FlatPoint center = corner(first(value));
        center.onSphere();
        yield SphereCap.of(center, radius(value));
      }
      case "$geometry" -> geometry(value);
      default -> throw unknown(name, value);
    };
  }

  private static RuntimeException unknown(String name, RawValue value) {
    return GeoErrors.badValue("unknown geo specifier: " + name + ": " + ValueText.of(value));
  }

  private static SphereArea geometry(RawValue value) {
    if (value.isArray() || FlatPoint.startsWithNumber(value)) {
      FlatPoint point = FlatPoint.parse(value, false);
      return SphereShape.ofPoint(point.onSphere());
    }
    return GeoJson.parse(value.asDocument());
  }

  private static FlatArea box(RawValue value) {
    List<RawValue> corners = GeoJson.elements(value);
    FlatPoint first = corner(corners.isEmpty() ? null : corners.get(0));
    FlatPoint second = corner(corners.size() < 2 ? null : corners.get(1));
    return FlatBox.between(first, second);
  }

  private static FlatPoint corner(RawValue value) {
    return FlatPoint.parse(value, false);
  }

  private static RawValue first(RawValue circle) {
    ElementCursor elements = circle.elements();
    return elements.next() ? elements.value() : null;
  }

  private static double radius(RawValue circle) {
    ElementCursor elements = circle.elements();
    elements.next();
    RawValue radius = elements.next() ? elements.value() : null;
    if (radius == null || !radius.isNumber() || !(radius.toDouble() >= 0)) {
      throw GeoErrors.badValue(
          "Radius must be a non-negative number: "
              + (radius == null ? "EOO" : ValueText.of(radius)));
    }
    if (elements.next()) {
      throw GeoErrors.badValue("Only 2 fields allowed for circular region, but more were provided");
    }
    return radius.toDouble();
  }
}
