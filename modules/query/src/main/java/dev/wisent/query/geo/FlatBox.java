package dev.wisent.query.geo;

/** {@code $box}: a rectangle, its edges included. */
record FlatBox(double minX, double minY, double maxX, double maxY) implements FlatArea {
  static FlatBox between(FlatPoint a, FlatPoint b) {
    return new FlatBox(
        Math.min(a.x(), b.x()),
        Math.min(a.y(), b.y()),
        Math.max(a.x(), b.x()),
        Math.max(a.y(), b.y()));
  }

  @Override
  public boolean contains(FlatPoint point) {
    return point.x() >= minX && point.x() <= maxX && point.y() >= minY && point.y() <= maxY;
  }

  @Override
  public FlatBox bounds() {
    return this;
  }

  boolean contains(FlatBox other) {
    return other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY;
  }

  boolean meets(FlatBox other) {
    return other.minX <= maxX && other.maxX >= minX && other.minY <= maxY && other.maxY >= minY;
  }

  FlatPoint middle() {
    return new FlatPoint((minX + maxX) / 2, (minY + maxY) / 2);
  }

  /** How far the nearest of its points is; 0 from a point in it. */
  double distanceTo(FlatPoint point) {
    return point.distanceTo(
        new FlatPoint(Math.clamp(point.x(), minX, maxX), Math.clamp(point.y(), minY, maxY)));
  }

  /** How far the farthest of its points is. */
  double farthestFrom(FlatPoint point) {
    return Math.hypot(
        Math.max(point.x() - minX, maxX - point.x()), Math.max(point.y() - minY, maxY - point.y()));
  }
}
