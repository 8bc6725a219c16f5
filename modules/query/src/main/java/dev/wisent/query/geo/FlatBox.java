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
}
