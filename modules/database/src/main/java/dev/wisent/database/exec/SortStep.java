package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.pipeline.sort.SortedDocument;
import dev.wisent.pipeline.sort.Sorter;
import dev.wisent.query.projection.Excerpt;
import dev.wisent.storage.ReadView;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Rows in the order of a sort; all are read before the first is given. */
final class SortStep extends UnaryStep {
  private final Sorter sorter;
  private final SortSpace space;
  private final boolean keepsKeys;
  private final boolean keepsDocuments;

  /** Null where documents are wanted whole. */
  private final Excerpt excerpt;

  private final Map<Integer, Index> indexes = new HashMap<>();
  private boolean sorted;
  private SortedDocument current;
  private boolean resumed;

  /**
   * @param space what the sort may use; closed with the step
   * @param keepsKeys whether the keys that rows were found by are needed afterwards
   * @param keepsDocuments whether rows have their documents already
   */
  SortStep(
      StageStats stats,
      Step input,
      PlanNode.Sort node,
      SortSpace space,
      boolean keepsKeys,
      boolean keepsDocuments) {
    super(stats, input);
    this.sorter = new Sorter(node.pattern(), node.limit(), space);
    this.space = space;
    this.keepsKeys = keepsKeys;
    this.keepsDocuments = keepsDocuments;
    this.excerpt = node.paths() == null ? null : Excerpt.ofPaths(node.paths());
    if (keepsKeys) {
      input.forEachIndex(index -> indexes.put(index.ident(), index));
    }
  }

  @Override
  Outcome step() {
    if (!sorted) {
      collect();
      return Outcome.NEED_TIME;
    }
    current = sorter.next();
    return current == null ? Outcome.END : Outcome.ADVANCED;
  }

  private void collect() {
    switch (input.work()) {
      case ADVANCED -> {
        if (keepsKeys) {
          sorter.add(SortEnvelope.wrap(input), input.recordId());
        } else {
          add(input.document());
        }
      }
      case NEED_TIME -> {}
      case END -> {
        input.close();
        stats.sortedBytes = sorter.bytesSorted();
        stats.spills = sorter.spills();
        stats.spilledBytes = sorter.spilledBytes();
        sorted = true;
      }
    }
  }

  private void add(RawDocument document) {
    if (sorter.mayBeAmongFirst(document)) {
      sorter.addLast(excerpt == null ? document : excerpt.of(document), input.recordId());
    }
  }

  @Override
  public long recordId() {
    return current.recordId();
  }

  @Override
  public RawDocument document() {
    if (!keepsDocuments) {
      return null;
    }
    return keepsKeys ? SortEnvelope.document(current.document()) : current.document();
  }

  @Override
  public RawDocument keyDocument() {
    return keepsKeys ? SortEnvelope.keyDocument(current.document()) : null;
  }

  @Override
  Index index() {
    return keepsKeys ? indexes.get(SortEnvelope.ident(current.document())) : null;
  }

  @Override
  byte[] indexKey() {
    return keepsKeys ? SortEnvelope.indexKey(current.document()) : null;
  }

  @Override
  boolean isFromBefore() {
    return resumed;
  }

  @Override
  void forEachIndex(Consumer<Index> action) {
    if (!sorted) {
      super.forEachIndex(action);
    }
  }

  @Override
  void suspendStep() {
    if (!sorted) {
      super.suspendStep();
    } else {
      // The cursor has a copy of the row that comes next.
      current = null;
    }
    space.suspend();
  }

  @Override
  void resume(ReadView view, OperationContext under) {
    if (!sorted) {
      super.resume(view, under);
    } else {
      resumed = true;
    }
  }

  @Override
  public void close() {
    space.close();
    super.close();
  }
}
