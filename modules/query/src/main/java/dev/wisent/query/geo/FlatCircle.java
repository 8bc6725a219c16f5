package dev.wisent.query.geo;

/** {@code $center}: all points of the plane up to a distance, that one included. */
record FlatCircle(FlatPoint center, double radius) implements FlatArea {
  @Override
  public boolean contains(FlatPoint point) {
    if (center.x() == point.x()) {
      return isWithin(center.y(), point.y());
    }
    if (center.y() == point.y()) {
      return isWithin(center.x(), point.x());
    }
    return center.distanceTo(point) <= radius;
  }

  /** By addition, which is right more often: 52 - 51.9999 is more than 0.0001. */
  private boolean isWithin(double a, double b) {
    return Math.max(a, b) <= Math.min(a, b) + radius;
  }

  @Override
  public FlatBox bounds() {
    return new FlatBox(
        center.x() - radius, center.y() - radius, center.x() + radius, center.y() + radius);
  }
}
