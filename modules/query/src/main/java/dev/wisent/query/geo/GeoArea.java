package dev.wisent.query.geo;

/** What {@code $geoWithin} and {@code $geoIntersects} ask for. */
public sealed interface GeoArea permits FlatArea, SphereArea {
  /** Whether all of a value lies in here. */
  boolean contains(GeoValue value);

  /** Whether a value and this have a point in common. */
  boolean intersects(GeoValue value);

  /** Whether anything can lie in here, which is not so of points and lines. */
  boolean canContain();
}
