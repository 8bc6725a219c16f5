package dev.wisent.query.geo;

import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;

/** Angles between points and shapes of the sphere, and how long they are on the earth. */
final class SphereDistance {
  /** MongoDB's earth. */
  static final double EARTH_RADIUS_METERS = 6_378_100;

  private SphereDistance() {}

  static double radians(S2Point from, S2Point to) {
    return new S1Angle(from, to).radians();
  }

  static double radians(S2Point from, S2Polyline line) {
    return radians(from, line.project(from));
  }

  static double radians(S2Point from, S2Polygon polygon) {
    return polygon.contains(from) ? 0 : radians(from, polygon.project(from));
  }
}
