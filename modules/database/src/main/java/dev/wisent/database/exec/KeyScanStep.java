package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Index;
import dev.wisent.database.plan.StageStats;
import dev.wisent.database.plan.bounds.ScanBounds;
import dev.wisent.storage.ReadView;
import java.util.function.Consumer;

/** A step that walks over the keys of one index. */
abstract class KeyScanStep extends Step {
  final Index index;
  final KeyScan keys;

  KeyScanStep(
      StageStats stats, Index index, ScanBounds bounds, boolean reverse, StepContext context) {
    super(stats);
    this.index = index;
    this.keys = new KeyScan(index, bounds, reverse, stats, context);
    index.used();
  }

  /** Whether a record may have several keys, and so come several times. */
  final boolean mayRepeatRecords() {
    return index.isMultikey() || index.kind() == Index.Kind.WILDCARD;
  }

  @Override
  public long recordId() {
    return keys.recordId();
  }

  @Override
  public RawDocument document() {
    return null;
  }

  @Override
  void forEachIndex(Consumer<Index> action) {
    action.accept(index);
  }

  @Override
  void suspendStep() {
    keys.suspend();
  }

  @Override
  void resume(ReadView view, OperationContext under) {
    keys.resume(view, under);
  }

  @Override
  public void close() {
    keys.close();
  }
}
