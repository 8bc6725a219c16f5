package dev.wisent.query.geo;

import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2CellUnion;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Projections;
import com.google.common.geometry.S2RegionIntersection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rings on the sphere, read from a {@code 2dsphere} index. */
final class SphereRings extends NearRings {
  /** Cells of about a meter. */
  private static final int FINEST_LEVEL = 23;

  /** What a distance may lose on its way to an angle and through a chord. */
  private static final double ERROR_RADIANS = 1e-14;

  private static final double ERROR_FACTOR = 1e-9;

  private final NearQuery near;
  private final SphereCells cells;
  private final S2Point center;
  private final Set<S2CellId> around = new HashSet<>();
  private S2CellUnion read = new S2CellUnion();

  SphereRings(NearQuery near, SphereCells cells) {
    super(near, near.fromRadians(Math.PI));
    this.near = near;
    this.cells = cells;
    this.center = near.centerOnSphere();
    this.read.initRawCellIds(new ArrayList<>());
  }

  @Override
  public int finestLevel() {
    return FINEST_LEVEL;
  }

  @Override
  public List<KeyRange> neighbourhood(int level) {
    if (level == 0) {
      return List.of(S2CellId.FACE_CELLS).stream().map(SphereCells::range).toList();
    }
    var neighbours = new ArrayList<S2CellId>();
    S2CellId.fromPoint(center).getVertexNeighbors(level, neighbours);
    return neighbours.stream().map(SphereCells::range).toList();
  }

  @Override
  double size(int level) {
    return near.fromRadians(S2Projections.PROJ.avgEdge.getValue(level));
  }

  @Override
  List<KeyRange> cover(double from, double to) {
    double hole = near.toRadians(from) * (1 - ERROR_FACTOR) - ERROR_RADIANS;
    double edge = near.toRadians(to) * (1 + ERROR_FACTOR) + ERROR_RADIANS;
    S2Cap disc = S2Cap.fromAxisAngle(center, S1Angle.radians(Math.min(edge, Math.PI)));
    var ring = new ArrayList<S2CellId>();
    if (hole > 0) {
      S2Cap rest = S2Cap.fromAxisAngle(center, S1Angle.radians(hole)).complement();
      ring.addAll(SphereCells.covering(new S2RegionIntersection(List.of(disc, rest))));
    } else {
      ring.addAll(SphereCells.covering(disc));
    }
    var covering = new S2CellUnion();
    covering.initFromCellIds(ring);
    var fresh = new S2CellUnion();
    fresh.getDifference(covering, read);
    var all = new S2CellUnion();
    all.getUnion(covering, read);
    read = all;
    return cells.ranges(fresh.cellIds(), around);
  }
}
