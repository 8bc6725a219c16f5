package dev.wisent.query.geo;

import com.google.common.geometry.S2Point;
import dev.wisent.base.CommandException;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;

/** A place as a document has it: a legacy pair of coordinates or a geometry of GeoJSON. */
public final class GeoValue {
  private final FlatPoint point;
  private SphereShape shape;

  private GeoValue(FlatPoint point, SphereShape shape) {
    this.point = point;
    this.shape = shape;
  }

  /**
   * Throws what is wrong with the value.
   *
   * @param name of the field that has it
   */
  public static GeoValue parse(RawValue value, String name) {
    if (!value.isArray() && !value.isDocument()) {
      throw GeoErrors.badValue(
          "geo element must be an array or object: " + name + ": " + ValueText.of(value));
    }
    return parse(value);
  }

  private static GeoValue parse(RawValue value) {
    if (value.isArray() || FlatPoint.startsWithNumber(value)) {
      return new GeoValue(FlatPoint.parse(value, true), null);
    }
    if (GeoJson.isPoint(value.asDocument())) {
      FlatPoint point = GeoJson.parsePoint(value.asDocument());
      return new GeoValue(point, SphereShape.ofPoint(point.onSphere()));
    }
    return switch (GeoJson.parse(value.asDocument())) {
      case SphereShape shape -> new GeoValue(null, shape);
      case StrictPolygon ignored ->
          throw GeoErrors.badValue("can't index geometry with strict winding order");
      case SphereCap cap -> throw new IllegalStateException("GeoJSON has no " + cap);
    };
  }

  /** Null where the value is none that can be found. */
  public static GeoValue parseOrNull(RawValue value) {
    if (value == null || (!value.isArray() && !value.isDocument())) {
      return null;
    }
    try {
      return parse(value);
    } catch (CommandException e) {
      return null;
    }
  }

  /** The pair of coordinates of a single point; null for other geometries. */
  FlatPoint point() {
    return point;
  }

  /** What it is on the sphere; null for a pair of coordinates that is not there. */
  SphereShape shape() {
    if (shape == null && point.isOnSphere()) {
      shape = SphereShape.ofPoint(point.onSphere());
    }
    return shape;
  }

  /** The angle to a point of the sphere; NaN where this is not there. */
  double distanceRadians(S2Point from) {
    return shape() == null ? Double.NaN : shape.distanceRadians(from);
  }

  /** The distance on the plane; NaN where this is no point of it. */
  double distance(FlatPoint from) {
    return point == null ? Double.NaN : from.distanceTo(point);
  }
}
