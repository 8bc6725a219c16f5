package dev.wisent.database.exec;

import dev.wisent.database.exec.Step.Outcome;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.geo.GeoKeyRange;
import dev.wisent.query.geo.NearCells;
import dev.wisent.storage.ReadView;
import java.util.List;

/** Reads the keys of some cells of an index, and then of others. */
abstract sealed class CellReader permits CellCursor, CellScan {
  /** Whether keys come in the order of cells: the fields in front of them have one value. */
  static boolean isInOrder(PlanNode.GeoNear node, int field) {
    return node.bounds().fields().subList(0, field).stream().allMatch(FieldIntervals::isPoint);
  }

  /**
   * @param field the one that has the cells
   */
  static CellReader of(PlanNode.GeoNear node, int field, StageStats stats, StepContext context) {
    return isInOrder(node, field)
        ? new CellCursor(node, field, stats, context)
        : new CellScan(node, field, stats, context);
  }

  /** Begins with some keys. */
  abstract void read(List<GeoKeyRange> ranges);

  /** Moves to the next of these keys; asks for another call where that does not fit otherwise. */
  abstract Outcome advance();

  /** The cell of the key that was looked at last. */
  abstract long cell();

  abstract long recordId();

  /** Tells that all these keys have been read. */
  abstract void finish(NearCells cells);

  /** Lets go of the store; what was being read is to be begun again. */
  abstract void close();

  abstract void resume(ReadView view, OperationContext under);
}
