package dev.wisent.query.geo;

/** A part of the plane. Only points can be in it. */
sealed interface FlatArea extends GeoArea permits FlatBox, FlatCircle, FlatPolygon {
  boolean contains(FlatPoint point);

  /** The smallest box around it. */
  FlatBox bounds();

  @Override
  default boolean contains(GeoValue value) {
    return value.point() != null && contains(value.point());
  }

  @Override
  default boolean intersects(GeoValue value) {
    return contains(value);
  }

  @Override
  default boolean canContain() {
    return true;
  }
}
