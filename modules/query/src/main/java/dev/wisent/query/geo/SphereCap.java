package dev.wisent.query.geo;

import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2Cell;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import com.google.common.geometry.S2Region;

/** {@code $centerSphere}: all points of the sphere up to an angle, in radians. */
record SphereCap(FlatPoint center, double radians, S2Cap cap) implements SphereArea {
  static SphereCap of(FlatPoint center, double radians) {
    S1Angle angle = S1Angle.radians(Math.min(radians, Math.PI));
    return new SphereCap(center, radians, S2Cap.fromAxisAngle(center.onSphere(), angle));
  }

  @Override
  public boolean contains(SphereShape shape) {
    for (S2Point point : shape.points()) {
      if (!cap.mayIntersect(new S2Cell(point))) {
        return false;
      }
    }
    for (S2Polyline line : shape.lines()) {
      if (isOutside(SphereDistance.radians(opposite(), line))) {
        return false;
      }
    }
    for (S2Polygon polygon : shape.polygons()) {
      if (isOutside(SphereDistance.radians(opposite(), polygon))) {
        return false;
      }
    }
    return true;
  }

  private S2Point opposite() {
    return S2Point.neg(cap.axis());
  }

  /** Whether something reaches into the rest of the sphere, which is a cap too. */
  private boolean isOutside(double radiansFromOpposite) {
    return radiansFromOpposite < Math.PI - cap.angle().radians();
  }

  /** Not asked: {@code $geoIntersects} takes no circle. */
  @Override
  public boolean intersects(SphereShape shape) {
    return shape.distanceRadians(cap.axis()) <= cap.angle().radians();
  }

  @Override
  public S2Region region() {
    return cap;
  }
}
