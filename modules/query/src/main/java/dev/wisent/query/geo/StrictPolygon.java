package dev.wisent.query.geo;

import com.google.common.geometry.S2Cell;
import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Region;

/**
 * A polygon with MongoDB's strict winding order: what is on the left of its one loop, which may be
 * more than half of the sphere. Such an area is asked by what is not in it.
 *
 * @param small the area, or where it is the larger part of the sphere, the rest
 * @param inverted whether {@code small} is the rest
 */
record StrictPolygon(S2Loop loop, S2Polygon small, boolean inverted) implements SphereArea {
  static StrictPolygon of(S2Loop loop) {
    var rest = new S2Loop(loop);
    boolean inverted = !loop.isNormalized();
    if (inverted) {
      rest.invert();
    }
    return new StrictPolygon(loop, new S2Polygon(rest), inverted);
  }

  private boolean containsPoint(S2Point point) {
    return loop.contains(point) || loop.mayIntersect(new S2Cell(point));
  }

  @Override
  public boolean contains(SphereShape shape) {
    return shape.points().stream().allMatch(this::containsPoint)
        && shape.lines().stream()
            .allMatch(
                line ->
                    inverted
                        ? !PolygonRelations.meetsLine(small, line)
                        : PolygonRelations.containsLine(small, line))
        && shape.polygons().stream()
            .allMatch(polygon -> inverted ? !small.intersects(polygon) : small.contains(polygon));
  }

  @Override
  public boolean intersects(SphereShape shape) {
    return shape.points().stream().anyMatch(this::containsPoint)
        || shape.lines().stream()
            .anyMatch(
                line ->
                    inverted
                        ? !PolygonRelations.containsLine(small, line)
                        : PolygonRelations.meetsLine(small, line))
        || shape.polygons().stream()
            .anyMatch(polygon -> inverted ? !small.contains(polygon) : small.intersects(polygon));
  }

  @Override
  public S2Region region() {
    return loop;
  }
}
