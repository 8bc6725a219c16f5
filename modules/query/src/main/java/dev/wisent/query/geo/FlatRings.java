package dev.wisent.query.geo;

import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2Point;
import dev.wisent.query.geo.FlatCovering.Relation;
import dev.wisent.query.geo.FlatCovering.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Rings read from a {@code 2d} index, on the plane, or on the sphere as far as longitudes and
 * latitudes are points of the plane.
 */
final class FlatRings extends NearRings {
  private static final double ERROR_FACTOR = 1e-9;

  /** What a distance may lose, in radians, or as a part of the greatest coordinate. */
  private static final double ERROR = 1e-14;

  /** The part of the square that belongs to one hash. */
  private static final double AREA_OF_HASH = 0x1p-64;

  private final NearQuery near;
  private final FlatCells cells;
  private final long own;
  private final double reach;

  /** Null on the plane. */
  private final S2Point center;

  /** What has been read, in order. */
  private List<Span> read = List.of();

  /** The same before the last ring. */
  private List<Span> readBefore = List.of();

  FlatRings(NearQuery near, FlatCells cells) {
    super(near, worldMax(near, cells));
    this.near = near;
    this.cells = cells;
    this.own = cells.hash(near.center());
    this.reach = reach(near, cells);
    this.center = near.onSphere() ? near.centerOnSphere() : null;
  }

  /** On the sphere degrees are not longer than on the plane. */
  private static double reach(NearQuery near, FlatCells cells) {
    double edge = cells.edge();
    return near.onSphere()
        ? near.fromRadians(Math.toRadians(edge) + ERROR)
        : edge + Math.max(Math.abs(cells.min()), Math.abs(cells.max())) * ERROR;
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
  public KeyRange onward() {
    return new Span(own, -1).toRange();
  }

  @Override
  public KeyRange backward() {
    return new Span(0, own).toRange();
  }

  @Override
  public double stretch(long key) {
    return Math.abs(unsigned(key) - unsigned(own));
  }

  private static double unsigned(long hash) {
    return (hash >>> 1) * 2.0;
  }

  @Override
  double radius(double stretch) {
    double edge = cells.max() - cells.min();
    double share = Math.min(1, stretch * AREA_OF_HASH);
    double radius = Math.max(edge * Math.sqrt(share / Math.PI), 2 * cells.edge());
    return near.onSphere() ? near.fromRadians(Math.toRadians(radius)) : radius;
  }

  @Override
  double middle(long key) {
    FlatPoint middle = cells.middle(key);
    return center != null
        ? near.fromRadians(SphereDistance.radians(center, middle.toSphere()))
        : near.center().distanceTo(middle);
  }

  @Override
  double reach(long key) {
    return reach;
  }

  @Override
  boolean isPlace(long key) {
    return true;
  }

  @Override
  List<KeyRange> cover(double from, double to) {
    List<Span> covering = FlatCovering.of(cells, near.onSphere() ? cap(to) : ring(from, to));
    var fresh = new ArrayList<Span>();
    covering.forEach(span -> addUnread(span, fresh));
    var all = new ArrayList<>(read);
    all.addAll(fresh);
    all.sort(Comparator.comparing(Span::first, Long::compareUnsigned));
    readBefore = read;
    read = all;
    return fresh.stream().map(Span::toRange).toList();
  }

  @Override
  void forget() {
    read = readBefore;
  }

  private FlatCovering.Target cap(double to) {
    double radians = near.toRadians(to) * (1 + ERROR_FACTOR);
    S2Cap cap = S2Cap.fromAxisAngle(center, S1Angle.radians(Math.min(radians, Math.PI)));
    return FlatCovering.Target.of(SphereBounds.of(cap));
  }

  /** A square around the ring, without the cells that are all in its hole. */
  private FlatCovering.Target ring(double from, double to) {
    FlatBox square = new FlatCircle(near.center(), to * (1 + ERROR_FACTOR)).bounds();
    FlatCovering.Target whole = FlatCovering.Target.of(square);
    double hole = from * (1 - ERROR_FACTOR);
    return cell -> isFartherThan(hole, cell) ? whole.relationOf(cell) : Relation.OUTSIDE;
  }

  private boolean isFartherThan(double distance, FlatBox cell) {
    double width =
        Math.max(
            Math.abs(cell.minX() - near.center().x()), Math.abs(cell.maxX() - near.center().x()));
    double height =
        Math.max(
            Math.abs(cell.minY() - near.center().y()), Math.abs(cell.maxY() - near.center().y()));
    return Math.hypot(width, height) >= distance;
  }

  /** Adds what of a span has not been read. */
  private void addUnread(Span span, List<Span> fresh) {
    long next = span.first();
    for (Span known : read) {
      if (Long.compareUnsigned(known.last(), next) < 0) {
        continue;
      }
      if (Long.compareUnsigned(known.first(), span.last()) > 0) {
        break;
      }
      if (Long.compareUnsigned(known.first(), next) > 0) {
        fresh.add(new Span(next, known.first() - 1));
      }
      if (Long.compareUnsigned(known.last(), span.last()) >= 0) {
        return;
      }
      next = known.last() + 1;
    }
    fresh.add(new Span(next, span.last()));
  }
}
