package dev.wisent.query.geo;

import com.google.common.geometry.S1ChordAngle;
import com.google.common.geometry.S2Cell;
import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Projections;
import dev.wisent.bson.RawValue;

/** The cells of a {@code 2dsphere} index. Their order is that of their numbers, with signs. */
final class SphereNearCells extends NearCells {
  /** What a distance may lose on its way to an angle and through a chord. */
  private static final double ERROR_RADIANS = 1e-14;

  private final NearQuery near;
  private final SphereCells cells;
  private final S2Point center;
  private final S2CellId own;

  SphereNearCells(NearQuery near, SphereCells cells, boolean inOrder) {
    super(near, near.fromRadians(Math.PI), inOrder);
    this.near = near;
    this.cells = cells;
    this.center = near.centerOnSphere();
    this.own = S2CellId.fromPoint(center);
    start();
  }

  @Override
  long position() {
    return own.id();
  }

  @Override
  long position(long key) {
    return key;
  }

  @Override
  GeoKeyRange range(long from, long to) {
    return new GeoKeyRange(RawValue.ofInt64(from), RawValue.ofInt64(to));
  }

  @Override
  int levelMax() {
    return S2CellId.MAX_LEVEL;
  }

  @Override
  int levelOf(double positions) {
    // A cell has twice as many places as the lowest bit of its number is worth.
    int bits = Math.max(0, Math.getExponent(positions) - 1);
    return Math.max(0, S2CellId.MAX_LEVEL - bits / 2);
  }

  @Override
  double length(int level) {
    return near.fromRadians(S2Projections.PROJ.avgEdge.getValue(level));
  }

  @Override
  long home(int level) {
    return own.parent(level).id();
  }

  @Override
  long[] largest() {
    long[] faces = new long[S2CellId.NUM_FACES];
    for (int i = 0; i < faces.length; i++) {
      faces[i] = S2CellId.FACE_CELLS[i].id();
    }
    return faces;
  }

  @Override
  long quarter(long cell, int level, int number) {
    return new S2CellId(cell).child(number).id();
  }

  @Override
  long first(long cell, int level) {
    return new S2CellId(cell).rangeMin().id();
  }

  @Override
  long last(long cell, int level) {
    return new S2CellId(cell).rangeMax().id();
  }

  @Override
  boolean isKey(int level) {
    return level >= cells.coarsest() && level <= cells.finest();
  }

  @Override
  double nearest(long cell, int level) {
    return distance(new S2Cell(new S2CellId(cell)).getDistance(center), -ERROR_RADIANS);
  }

  @Override
  double farthest(long cell, int level) {
    return distance(new S2Cell(new S2CellId(cell)).getMaxDistance(center), ERROR_RADIANS);
  }

  @Override
  double edge(int level) {
    return distance(new S2Cell(own.parent(level)).getBoundaryDistance(center), -ERROR_RADIANS);
  }

  private double distance(S1ChordAngle chord, double error) {
    return near.fromRadians(chord.toAngle().radians() + error);
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
}
