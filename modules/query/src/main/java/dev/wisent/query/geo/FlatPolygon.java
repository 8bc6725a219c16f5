package dev.wisent.query.geo;

import java.util.List;

/**
 * {@code $polygon}: what straight lines between points of the plane enclose; it may cross itself.
 */
record FlatPolygon(List<FlatPoint> points) implements FlatArea {
  FlatPolygon {
    points = List.copyOf(points);
    if (points.size() < 3) {
      throw GeoErrors.badValue(
          "Polygon must have at least 3 points, instead got " + points.size() + " vertices");
    }
  }

  /** Counts the edges that a ray from the point to the right crosses: inside that is odd. */
  @Override
  public boolean contains(FlatPoint point) {
    boolean inside = false;
    FlatPoint from = points.getLast();
    for (FlatPoint to : points) {
      boolean isBetween = point.y() > Math.min(from.y(), to.y()) && point.y() <= maxY(from, to);
      if (isBetween && point.x() <= crossing(from, to, point.y())) {
        inside = !inside;
      }
      from = to;
    }
    return inside;
  }

  private static double maxY(FlatPoint a, FlatPoint b) {
    return Math.max(a.y(), b.y());
  }

  /** Where an edge that is not level reaches a height. */
  private static double crossing(FlatPoint from, FlatPoint to, double y) {
    return from.x() == to.x()
        ? from.x()
        : (y - from.y()) * (to.x() - from.x()) / (to.y() - from.y()) + from.x();
  }

  @Override
  public FlatBox bounds() {
    FlatBox box = FlatBox.between(points.getFirst(), points.getFirst());
    for (FlatPoint point : points) {
      box =
          new FlatBox(
              Math.min(box.minX(), point.x()),
              Math.min(box.minY(), point.y()),
              Math.max(box.maxX(), point.x()),
              Math.max(box.maxY(), point.y()));
    }
    return box;
  }
}
