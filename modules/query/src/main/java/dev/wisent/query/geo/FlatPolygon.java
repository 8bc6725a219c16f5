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

  /**
   * Counts the edges that a ray from the point to the right crosses: inside that is odd. As in
   * MongoDB, a polygon holds its vertices and the points of its level and upright edges, and of
   * other edges those that have the inside to their left.
   */
  @Override
  public boolean contains(FlatPoint point) {
    boolean inside = false;
    FlatPoint from = points.getLast();
    for (FlatPoint to : points) {
      if (isOnStraightEdge(point, from, to)) {
        return true;
      }
      boolean isBetween = point.y() > Math.min(from.y(), to.y()) && point.y() <= maxY(from, to);
      if (isBetween && point.x() <= crossing(from, to, point.y())) {
        inside = !inside;
      }
      from = to;
    }
    return inside;
  }

  /** Whether the point is a vertex, or on an edge that is level or upright. */
  private static boolean isOnStraightEdge(FlatPoint point, FlatPoint from, FlatPoint to) {
    return FlatBox.between(to, to).contains(point)
        || ((from.x() == to.x() || from.y() == to.y())
            && FlatBox.between(from, to).contains(point));
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
