package dev.wisent.query.geo;

import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2CellUnion;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Projections;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rings on the sphere, read from a {@code 2dsphere} index. */
final class SphereRings extends NearRings {
  /** What a distance may lose on its way to an angle and through a chord. */
  private static final double ERROR_RADIANS = 1e-14;

  private static final double ERROR_FACTOR = 1e-9;

  /** The part of the sphere that belongs to one number of a cell: a sixth is one face. */
  private static final double AREA_OF_NUMBER = 1 / (6 * 0x1p61);

  /** Cells of about a meter. */
  private static final int FINEST_LEVEL = 23;

  private final NearQuery near;
  private final SphereCells cells;
  private final S2Point center;
  private final long own;
  private Set<S2CellId> around = Set.of();
  private S2CellUnion read = union(new ArrayList<>());

  /** The same before the last ring. */
  private Set<S2CellId> aroundBefore = around;

  private S2CellUnion readBefore = read;

  SphereRings(NearQuery near, SphereCells cells) {
    super(near, near.fromRadians(Math.PI));
    this.near = near;
    this.cells = cells;
    this.center = near.centerOnSphere();
    this.own = S2CellId.fromPoint(center).id();
  }

  @Override
  public KeyRange onward() {
    return new KeyRange(RawValue.ofInt64(own), RawValue.ofInt64(Long.MAX_VALUE));
  }

  @Override
  public KeyRange backward() {
    return new KeyRange(RawValue.ofInt64(Long.MIN_VALUE), RawValue.ofInt64(own));
  }

  @Override
  public double stretch(long key) {
    return Math.abs((double) key - (double) own);
  }

  @Override
  double radius(double stretch) {
    double share = Math.min(1, stretch * AREA_OF_NUMBER);
    return near.fromRadians(
        Math.max(
            2 * Math.asin(Math.sqrt(share)), S2Projections.PROJ.avgEdge.getValue(FINEST_LEVEL)));
  }

  @Override
  double middle(long key) {
    return near.fromRadians(SphereDistance.radians(center, new S2CellId(key).toPoint()));
  }

  @Override
  double reach(long key) {
    int level = new S2CellId(key).level();
    return near.fromRadians(S2Projections.PROJ.maxDiag.getValue(level) + ERROR_RADIANS);
  }

  /** Only a point: a covering of something larger may have cells that it does not touch. */
  @Override
  boolean isPlace(long key) {
    return new S2CellId(key).isLeaf();
  }

  @Override
  List<KeyRange> cover(double from, double to) {
    double hole = near.toRadians(from) * (1 - ERROR_FACTOR) - ERROR_RADIANS;
    double edge = near.toRadians(to) * (1 + ERROR_FACTOR) + ERROR_RADIANS;
    S2CellUnion covering = union(SphereRing.cells(center, hole, edge, isCrowded()));
    aroundBefore = around;
    around = new HashSet<>(around);
    readBefore = read;
    var fresh = new S2CellUnion();
    fresh.getDifference(covering, read);
    var all = new S2CellUnion();
    all.getUnion(covering, read);
    read = all;
    return cells.ranges(fresh.cellIds(), around);
  }

  @Override
  void forget() {
    read = readBefore;
    around = aroundBefore;
  }

  private static S2CellUnion union(ArrayList<S2CellId> cells) {
    var union = new S2CellUnion();
    union.initFromCellIds(cells);
    return union;
  }
}
