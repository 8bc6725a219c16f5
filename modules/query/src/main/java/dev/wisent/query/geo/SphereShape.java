package dev.wisent.query.geo;

import com.google.common.geometry.S2Cell;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import com.google.common.geometry.S2Region;
import com.google.common.geometry.S2RegionUnion;
import java.util.ArrayList;
import java.util.List;

/**
 * A geometry of GeoJSON: points, lines and polygons, of each any number. A point is as large as the
 * smallest cell of the sphere, so that it can lie on a line.
 */
record SphereShape(List<S2Point> points, List<S2Polyline> lines, List<S2Polygon> polygons)
    implements SphereArea {
  SphereShape {
    points = List.copyOf(points);
    lines = List.copyOf(lines);
    polygons = List.copyOf(polygons);
  }

  static SphereShape ofPoint(S2Point point) {
    return new SphereShape(List.of(point), List.of(), List.of());
  }

  boolean isPoint() {
    return points.size() == 1 && lines.isEmpty() && polygons.isEmpty();
  }

  @Override
  public boolean canContain() {
    return !polygons.isEmpty();
  }

  /** Each part of the other shape has to be in one of the polygons. */
  @Override
  public boolean contains(SphereShape other) {
    return other.points.stream().allMatch(this::containsPoint)
        && other.lines.stream().allMatch(this::containsLine)
        && other.polygons.stream().allMatch(this::containsPolygon);
  }

  private boolean containsPoint(S2Point point) {
    for (S2Polygon polygon : polygons) {
      if (PolygonRelations.containsPoint(polygon, point)) {
        return true;
      }
    }
    return false;
  }

  private boolean containsLine(S2Polyline line) {
    return polygons.stream().anyMatch(polygon -> PolygonRelations.containsLine(polygon, line));
  }

  private boolean containsPolygon(S2Polygon inner) {
    return polygons.stream().anyMatch(polygon -> polygon.contains(inner));
  }

  @Override
  public boolean intersects(SphereShape other) {
    return other.points.stream().anyMatch(this::meetsPoint)
        || other.lines.stream().anyMatch(this::meetsLine)
        || other.polygons.stream().anyMatch(this::meetsPolygon);
  }

  private boolean meetsPoint(S2Point point) {
    var cell = new S2Cell(point);
    return points.stream().anyMatch(own -> new S2Cell(own).mayIntersect(cell))
        || lines.stream().anyMatch(line -> line.mayIntersect(cell))
        || polygons.stream().anyMatch(polygon -> PolygonRelations.containsPoint(polygon, point));
  }

  private boolean meetsLine(S2Polyline line) {
    return points.stream().anyMatch(point -> line.mayIntersect(new S2Cell(point)))
        || lines.stream().anyMatch(own -> own.intersects(line))
        || polygons.stream().anyMatch(polygon -> PolygonRelations.meetsLine(polygon, line));
  }

  private boolean meetsPolygon(S2Polygon polygon) {
    return points.stream().anyMatch(point -> PolygonRelations.containsPoint(polygon, point))
        || lines.stream().anyMatch(line -> PolygonRelations.meetsLine(polygon, line))
        || polygons.stream().anyMatch(own -> own.intersects(polygon));
  }

  /** The angle to the nearest part. */
  double distanceRadians(S2Point from) {
    double nearest = Double.POSITIVE_INFINITY;
    for (S2Point point : points) {
      nearest = Math.min(nearest, SphereDistance.radians(from, point));
    }
    for (S2Polyline line : lines) {
      nearest = Math.min(nearest, SphereDistance.radians(from, line));
    }
    for (S2Polygon polygon : polygons) {
      nearest = Math.min(nearest, SphereDistance.radians(from, polygon));
    }
    return nearest;
  }

  @Override
  public S2Region region() {
    var regions = new ArrayList<S2Region>(points.size() + lines.size() + polygons.size());
    points.forEach(point -> regions.add(new S2Cell(point)));
    regions.addAll(lines);
    regions.addAll(polygons);
    return regions.size() == 1 ? regions.getFirst() : new S2RegionUnion(regions);
  }
}
