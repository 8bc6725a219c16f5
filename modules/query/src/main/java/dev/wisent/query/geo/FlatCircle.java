package dev.wisent.query.geo;

/** {@code $center}: all points of the plane up to a distance, that one included. */
record FlatCircle(FlatPoint center, double radius) implements FlatArea {
  @Override
  public boolean contains(FlatPoint point) {
    return center.distanceTo(point) <= radius;
  }

  @Override
  public FlatBox bounds() {
    return new FlatBox(
        center.x() - radius, center.y() - radius, center.x() + radius, center.y() + radius);
  }
}
