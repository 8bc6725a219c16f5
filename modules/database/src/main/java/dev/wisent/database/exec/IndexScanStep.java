package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.storage.ReadView;
import java.util.function.Consumer;

/** Keys of an index within bounds; where arrays gave several keys, each record comes once. */
final class IndexScanStep extends Step {
  private final Index index;
  private final KeyScan keys;
  private final MatchExpression filter;
  private LongSet seen;
  private long recordId;

  IndexScanStep(StageStats stats, PlanNode.IndexScan node, StepContext context) {
    super(stats);
    this.index = node.index();
    this.keys = new KeyScan(index, node.bounds(), node.reverse(), stats, context);
    this.filter = node.filter();
    index.used();
    expectSeveralKeys();
  }

  /** The index may also get its first array while the scan is suspended. */
  private void expectSeveralKeys() {
    if (seen == null && (index.isMultikey() || index.kind() == Index.Kind.WILDCARD)) {
      seen = new LongSet();
    }
  }

  @Override
  Outcome step() {
    Outcome outcome = keys.advance();
    if (outcome != Outcome.ADVANCED) {
      return outcome;
    }
    recordId = keys.recordId();
    if (filter != null && !filter.matches(NestedFields.of(keyDocument()))) {
      return Outcome.NEED_TIME;
    }
    return isSeen() ? Outcome.NEED_TIME : Outcome.ADVANCED;
  }

  private boolean isSeen() {
    if (seen == null) {
      return false;
    }
    stats.duplicatesTested++;
    if (seen.add(recordId)) {
      return false;
    }
    stats.duplicatesDropped++;
    return true;
  }

  @Override
  public long recordId() {
    return recordId;
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
