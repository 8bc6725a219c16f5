package dev.wisent.query.geo;

import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S2Cell;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import java.util.List;

/** How polygons lie to points and lines. */
final class PolygonRelations {
  /** What the clipping of a line may lose of it. */
  private static final S1Angle LINE_ERROR = S1Angle.degrees(1e-10);

  private PolygonRelations() {}

  /** Points on edges and vertices are inside too. */
  static boolean containsPoint(S2Polygon polygon, S2Point point) {
    return polygon.contains(point) || polygon.mayIntersect(new S2Cell(point));
  }

  static boolean meetsLine(S2Polygon polygon, S2Polyline line) {
    return !polygon.intersectWithPolyline(line).isEmpty();
  }

  /** Whether all that is inside of a line is the line. */
  static boolean containsLine(S2Polygon polygon, S2Polyline line) {
    List<S2Polyline> inside = polygon.intersectWithPolyline(line);
    return inside.size() == 1
        && inside.getFirst().getArclengthAngle().radians()
            >= line.getArclengthAngle().radians() - LINE_ERROR.radians();
  }
}
