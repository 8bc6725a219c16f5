package dev.wisent.query.geo;

import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S1ChordAngle;
import com.google.common.geometry.S2Cell;
import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Projections;
import java.util.ArrayList;
import java.util.List;

/**
 * The cells that cover a ring around a point. They are looked for from the point, not from the
 * faces of the sphere down, which is what most of the time of a general covering goes into.
 */
final class SphereRing {
  /** Up to so many cells are divided once more: then there are some four times as many. */
  private static final int FEW = 6;

  /** The same where much is around. */
  private static final int FEW_FINE = 24;

  /** Cells of about a meter are not divided. */
  private static final int FINEST_LEVEL = 23;

  private final S2Point center;

  /** Null where there is no hole. */
  private final S1ChordAngle hole;

  private final S1ChordAngle edge;
  private final ArrayList<S2CellId> whole = new ArrayList<>();

  private SphereRing(S2Point center, double hole, double edge) {
    this.center = center;
    this.hole = hole > 0 ? S1ChordAngle.fromS1Angle(S1Angle.radians(hole)) : null;
    this.edge = S1ChordAngle.fromS1Angle(S1Angle.radians(Math.min(edge, Math.PI)));
  }

  /**
   * Cells with all that is not nearer than one angle and not farther than another, in radians. They
   * do not overlap.
   *
   * @param fine whether to take more cells, so that less lies outside
   */
  static ArrayList<S2CellId> cells(S2Point center, double hole, double edge, boolean fine) {
    int few = fine ? FEW_FINE : FEW;
    var ring = new SphereRing(center, hole, edge);
    List<S2Cell> partly = ring.first(edge);
    while (!partly.isEmpty() && partly.size() + ring.whole.size() <= few) {
      partly = ring.divide(partly);
    }
    partly.forEach(cell -> ring.whole.add(cell.id()));
    return ring.whole;
  }

  /** The few cells around the corner of cells, so wide that nothing reaches beyond them. */
  private List<S2Cell> first(double radians) {
    var ids = new ArrayList<S2CellId>();
    int level = S2Projections.PROJ.minWidth.getMaxLevel(radians) - 1;
    if (level < 0) {
      ids.addAll(List.of(S2CellId.FACE_CELLS));
    } else {
      S2CellId.fromPoint(center).getVertexNeighbors(Math.min(level, FINEST_LEVEL), ids);
    }
    var cells = new ArrayList<S2Cell>();
    ids.forEach(id -> add(new S2Cell(id), cells));
    return cells;
  }

  private List<S2Cell> divide(List<S2Cell> partly) {
    var cells = new ArrayList<S2Cell>();
    for (S2Cell cell : partly) {
      if (cell.level() >= FINEST_LEVEL) {
        whole.add(cell.id());
      } else {
        for (int i = 0; i < 4; i++) {
          add(new S2Cell(cell.id().child(i)), cells);
        }
      }
    }
    return cells;
  }

  /** Takes a cell if it meets the ring. */
  private void add(S2Cell cell, List<S2Cell> partly) {
    S1ChordAngle nearest = cell.getDistance(center);
    if (nearest.compareTo(edge) > 0) {
      return;
    }
    S1ChordAngle farthest = cell.getMaxDistance(center);
    if (hole != null && farthest.compareTo(hole) < 0) {
      return;
    }
    boolean clear = hole == null || nearest.compareTo(hole) >= 0;
    if (clear && farthest.compareTo(edge) <= 0) {
      whole.add(cell.id());
    } else {
      partly.add(cell);
    }
  }
}
