package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.storage.ReadView;
import java.util.function.Consumer;

/** A step that walks over the keys of one index. */
abstract class KeyScanStep extends Step {
  final Index index;
  final KeyScan keys;

  private final boolean once;

  /** The records that have come already; null where each has one key only, or may come again. */
  private LongSet seen;

  /**
   * @param once whether each record is to come once, though it may have several keys
   */
  KeyScanStep(
      StageStats stats,
      Index index,
      ScanBounds bounds,
      boolean reverse,
      boolean once,
      StepContext context) {
    super(stats);
    this.index = index;
    this.keys = new KeyScan(index, bounds, reverse, stats, context);
    this.once = once;
    expectSeveralKeys();
    index.used();
  }

  /** An index may also get its first array while the scan is suspended. */
  private void expectSeveralKeys() {
    if (once && seen == null && (index.isMultikey() || index.kind() == Index.Kind.WILDCARD)) {
      seen = new LongSet();
    }
  }

  /** Whether the record of the current key has come before, by another key. */
  final boolean isSeen() {
    if (seen == null) {
      return false;
    }
    stats.duplicatesTested++;
    if (seen.add(keys.recordId())) {
      return false;
    }
    stats.duplicatesDropped++;
    return true;
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
  public RawDocument keyDocument() {
    return keys.keyDocument();
  }

  @Override
  double keyNumber(int part) {
    return keys.number(part);
  }

  @Override
  Index index() {
    return index;
  }

  @Override
  byte[] indexKey() {
    return keys.copyKey();
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
    expectSeveralKeys();
  }

  @Override
  public void close() {
    keys.close();
  }
}
