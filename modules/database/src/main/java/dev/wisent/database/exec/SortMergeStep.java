package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.sort.SortKeyGenerator;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.storage.ReadView;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** Rows of steps that are sorted alike, merged in that order, each record once. */
final class SortMergeStep extends Step {
  private final List<Step> inputs;
  private final SortKeyGenerator sortKeys;

  /** For rows without documents: the keys of an index have its collation in them already. */
  private final SortKeyGenerator sortKeysOfKeys;

  private final LongSet seen = new LongSet();

  /** Those that must say what their next row is before any row can be given. */
  private final ArrayDeque<Source> waiting = new ArrayDeque<>();

  private final PriorityQueue<Source> ready = new PriorityQueue<>();
  private Source current;
  private int state;

  /** An input, and the row that it stands on. */
  private static final class Source implements Comparable<Source> {
    private final Step input;
    private final int number;
    private byte[] key;

    /** The state of the store in which the row was found. */
    private int state;

    Source(Step input, int number) {
      this.input = input;
      this.number = number;
    }

    @Override
    public int compareTo(Source other) {
      int order = Arrays.compareUnsigned(key, other.key);
      return order != 0 ? order : Integer.compare(number, other.number);
    }
  }

  SortMergeStep(StageStats stats, List<Step> inputs, PlanNode.SortMerge node) {
    super(stats);
    this.inputs = inputs;
    this.sortKeys = new SortKeyGenerator(node.pattern());
    this.sortKeysOfKeys =
        node.pattern().collation() == null
            ? sortKeys
            : new SortKeyGenerator(new SortPattern(node.pattern().parts(), null));
    for (int i = 0; i < inputs.size(); i++) {
      waiting.add(new Source(inputs.get(i), i));
    }
  }

  @Override
  Outcome step() {
    if (current != null) {
      waiting.addFirst(current);
      current = null;
    }
    if (!waiting.isEmpty()) {
      return fill(waiting.peekFirst());
    }
    current = ready.poll();
    return current == null ? Outcome.END : Outcome.ADVANCED;
  }

  private Outcome fill(Source source) {
    switch (source.input.work()) {
      case ADVANCED -> {
        if (isSeen(source.input.recordId())) {
          return Outcome.NEED_TIME;
        }
        source.key = sortKey(source.input);
        source.state = state;
        ready.add(source);
        waiting.removeFirst();
      }
      case NEED_TIME -> {}
      case END -> {
        source.input.close();
        waiting.removeFirst();
      }
    }
    return Outcome.NEED_TIME;
  }

  private byte[] sortKey(Step input) {
    return (input.document() == null ? sortKeysOfKeys : sortKeys).key(input.documentOrKey());
  }

  private boolean isSeen(long recordId) {
    stats.duplicatesTested++;
    if (seen.add(recordId)) {
      return false;
    }
    stats.duplicatesDropped++;
    return true;
  }

  @Override
  public long recordId() {
    return current.input.recordId();
  }

  @Override
  public RawDocument document() {
    return current.input.document();
  }

  @Override
  public RawDocument keyDocument() {
    return current.input.keyDocument();
  }

  @Override
  Index index() {
    return current.input.index();
  }

  @Override
  byte[] indexKey() {
    return current.input.indexKey();
  }

  @Override
  boolean isFromBefore() {
    return current.state != state;
  }

  @Override
  void forEachIndex(Consumer<Index> action) {
    inputs.forEach(input -> input.forEachIndex(action));
  }

  @Override
  void suspendStep() {
    inputs.forEach(Step::suspend);
  }

  @Override
  void resume(ReadView view, OperationContext under) {
    state++;
    inputs.forEach(input -> input.resume(view, under));
  }

  @Override
  public void close() {
    inputs.forEach(Step::close);
  }
}
