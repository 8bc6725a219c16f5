package dev.wisent.database.exec;

import dev.wisent.database.exec.Step.Outcome;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.bounds.GeoBounds;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.query.geo.GeoKeyRange;
import dev.wisent.query.geo.NearCells;
import dev.wisent.storage.ReadView;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys of cells behind fields that have many values: each time the index is read from its first
 * value to the last.
 */
final class CellScan extends CellReader {
  private final PlanNode.GeoNear node;
  private final int field;
  private final StageStats stats;
  private StepContext context;
  private KeyScan scan;

  CellScan(PlanNode.GeoNear node, int field, StageStats stats, StepContext context) {
    this.node = node;
    this.field = field;
    this.stats = stats;
    this.context = context;
  }

  @Override
  void read(List<GeoKeyRange> ranges) {
    close();
    var fields = new ArrayList<>(node.bounds().fields());
    fields.set(field, new FieldIntervals(fields.get(field).name(), GeoBounds.intervals(ranges)));
    scan = new KeyScan(node.index(), new ScanBounds.ByField(fields), false, stats, context);
  }

  @Override
  Outcome advance() {
    return scan.advance();
  }

  @Override
  long cell() {
    return scan.cell(field);
  }

  @Override
  long recordId() {
    return scan.recordId();
  }

  @Override
  void finish(NearCells cells) {
    close();
    cells.finish();
  }

  @Override
  void close() {
    if (scan != null) {
      scan.close();
      scan = null;
    }
  }

  @Override
  void resume(ReadView view, OperationContext under) {
    context =
        new StepContext(
            context.collection(),
            view,
            under,
            context.filter(),
            context.sortSpaces(),
            context.timed(),
            context.owned(),
            context.ownership());
  }
}
