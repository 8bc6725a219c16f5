package dev.wisent.query.geo;

import com.google.common.geometry.S2Region;

/** A part of the sphere. */
sealed interface SphereArea extends GeoArea permits SphereShape, SphereCap, StrictPolygon {
  boolean contains(SphereShape shape);

  boolean intersects(SphereShape shape);

  S2Region region();

  @Override
  default boolean contains(GeoValue value) {
    SphereShape shape = value.shape();
    return shape != null && contains(shape);
  }

  @Override
  default boolean intersects(GeoValue value) {
    SphereShape shape = value.shape();
    return shape != null && intersects(shape);
  }

  @Override
  default boolean canContain() {
    return true;
  }
}
