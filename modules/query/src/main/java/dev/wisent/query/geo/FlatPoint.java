package dev.wisent.query.geo;

import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2Point;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;

/** A pair of coordinates: a point of the plane, or longitude and latitude. */
record FlatPoint(double x, double y) {
  /** All longitudes and latitudes. */
  static final FlatBox SPHERE = new FlatBox(-180, -90, 180, 90);

  /**
   * From {@code [x, y]} or a document whose first two fields are numbers.
   *
   * @param value null for a missing one
   * @param allowsMore whether anything may follow, such as a height
   */
  static FlatPoint parse(RawValue value, boolean allowsMore) {
    if (value == null || (!value.isArray() && !value.isDocument())) {
      throw GeoErrors.badValue("Point must be an array or object, " + GeoErrors.insteadGot(value));
    }
    ElementCursor elements = value.elements();
    double x = nextNumber(elements);
    double y = nextNumber(elements);
    if (!allowsMore && elements.next()) {
      throw GeoErrors.badValue("Point must only contain two numeric elements");
    }
    if (!Double.isFinite(x) || !Double.isFinite(y)) {
      throw GeoErrors.badValue("Point coordinates must be finite numbers");
    }
    return new FlatPoint(x, y);
  }

  private static double nextNumber(ElementCursor elements) {
    RawValue value = elements.next() ? elements.value() : null;
    if (value == null || !value.isNumber()) {
      throw GeoErrors.badValue(
          "Point must only contain numeric elements, " + GeoErrors.insteadGot(value));
    }
    return value.toDouble();
  }

  static boolean startsWithNumber(RawValue value) {
    ElementCursor elements = value.elements();
    return elements.next() && elements.value().isNumber();
  }

  boolean isOnSphere() {
    return SPHERE.contains(this);
  }

  S2Point onSphere() {
    if (!isOnSphere()) {
      throw GeoErrors.outOfBounds(x, y);
    }
    return S2LatLng.fromDegrees(y, x).toPoint();
  }

  /** The nearest point that is a longitude and a latitude. */
  S2Point toSphere() {
    return new FlatPoint(
            Math.clamp(x, SPHERE.minX(), SPHERE.maxX()),
            Math.clamp(y, SPHERE.minY(), SPHERE.maxY()))
        .onSphere();
  }

  double distanceTo(FlatPoint other) {
    double dx = x - other.x;
    double dy = y - other.y;
    return Math.sqrt(dx * dx + dy * dy);
  }
}
