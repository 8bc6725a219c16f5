package dev.wisent.query.geo;

import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2LatLngRect;
import com.google.common.geometry.S2Point;

/**
 * The cells of a {@code 2d} index, on the plane, or on the sphere as far as longitudes and
 * latitudes are points of the plane. Their order is that of their hashes, as unsigned numbers.
 */
final class FlatNearCells extends NearCells {
  private static final double ERROR_FACTOR = 1e-9;

  /** What a distance may lose, in radians, or as a part of the greatest coordinate. */
  private static final double ERROR = 1e-12;

  /** From the equator to a pole, in degrees. */
  private static final double QUARTER = 90;

  private final NearQuery near;
  private final FlatCells cells;
  private final long own;
  private final double error;
  private final double reach;

  /** Null on the plane. */
  private final S2Point center;

  FlatNearCells(NearQuery near, FlatCells cells, boolean inOrder) {
    super(near, worldMax(near, cells), inOrder);
    this.near = near;
    this.cells = cells;
    this.own = cells.hash(near.center());
    this.center = near.onSphere() ? near.centerOnSphere() : null;
    this.error =
        near.onSphere()
            ? near.fromRadians(ERROR)
            : Math.max(Math.abs(cells.min()), Math.abs(cells.max())) * ERROR;
    this.reach = length(cells.bits()) + error;
    start();
  }

  private static double worldMax(NearQuery near, FlatCells cells) {
    if (near.onSphere()) {
      return near.fromRadians(Math.PI);
    }
    FlatPoint center = near.center();
    double width = Math.max(center.x() - cells.min(), cells.max() - center.x());
    double height = Math.max(center.y() - cells.min(), cells.max() - center.y());
    return Math.hypot(width, height) * (1 + ERROR_FACTOR);
  }

  @Override
  long position() {
    return position(own);
  }

  @Override
  long position(long key) {
    return key ^ Long.MIN_VALUE;
  }

  @Override
  GeoKeyRange range(long from, long to) {
    return new GeoKeyRange(FlatCells.key(position(from)), FlatCells.key(position(to)));
  }

  @Override
  int levelMax() {
    return cells.bits();
  }

  @Override
  int levelOf(double positions) {
    int bits = Math.max(0, Math.getExponent(positions));
    return Math.clamp((FlatCells.HASH_BITS - bits) / 2, 0, cells.bits());
  }

  /** On the sphere degrees are not longer than on the plane. */
  @Override
  double length(int level) {
    double edge = Math.scalb(cells.max() - cells.min(), -level);
    return near.onSphere() ? near.fromRadians(Math.toRadians(edge)) : edge;
  }

  @Override
  long home(int level) {
    return own & ~FlatCells.below(level);
  }

  @Override
  long[] largest() {
    return new long[] {0};
  }

  @Override
  long quarter(long cell, int level, int number) {
    return cell | (long) number << (FlatCells.HASH_BITS - 2 * (level + 1));
  }

  @Override
  long first(long cell, int level) {
    return position(cell);
  }

  @Override
  long last(long cell, int level) {
    return position(cell | FlatCells.below(level));
  }

  @Override
  boolean isKey(int level) {
    return false;
  }

  @Override
  double nearest(long cell, int level) {
    FlatBox box = cells.box(cell, level);
    return (center == null ? box.distanceTo(near.center()) : distanceOnSphere(box)) - error;
  }

  /** Infinite where a box has no longitudes and latitudes. */
  private double distanceOnSphere(FlatBox box) {
    if (!box.meets(FlatPoint.SPHERE)) {
      return Double.POSITIVE_INFINITY;
    }
    var rectangle =
        new S2LatLngRect(
            S2LatLng.fromDegrees(
                Math.max(box.minY(), FlatPoint.SPHERE.minY()),
                Math.max(box.minX(), FlatPoint.SPHERE.minX())),
            S2LatLng.fromDegrees(
                Math.min(box.maxY(), FlatPoint.SPHERE.maxY()),
                Math.min(box.maxX(), FlatPoint.SPHERE.maxX())));
    return near.fromRadians(rectangle.getDistance(new S2LatLng(center)).radians());
  }

  @Override
  double farthest(long cell, int level) {
    FlatBox box = cells.box(cell, level);
    return center == null
        ? box.farthestFrom(near.center()) + error
        : distance(box.middle()) + length(level) + error;
  }

  @Override
  double edge(int level) {
    FlatBox box = cells.box(home(level), level);
    FlatPoint point = near.center();
    double width = Math.min(point.x() - box.minX(), box.maxX() - point.x());
    double height = Math.min(point.y() - box.minY(), box.maxY() - point.y());
    double edge = center == null ? Math.min(width, height) : edgeOnSphere(point.y(), width, height);
    return edge - error;
  }

  /** To another longitude the way may be one over a pole. */
  private double edgeOnSphere(double latitude, double width, double height) {
    double meridian =
        Math.asin(
            Math.sin(Math.toRadians(Math.min(width, QUARTER)))
                * Math.cos(Math.toRadians(latitude)));
    double parallel = Math.toRadians(Math.min(height, QUARTER - Math.abs(latitude)));
    return near.fromRadians(Math.min(meridian, parallel));
  }

  @Override
  double middle(long key) {
    return distance(cells.middle(key));
  }

  private double distance(FlatPoint point) {
    return center == null
        ? near.center().distanceTo(point)
        : near.fromRadians(SphereDistance.radians(center, point.toSphere()));
  }

  @Override
  double reach(long key) {
    return reach;
  }

  @Override
  boolean isPlace(long key) {
    return true;
  }
}
