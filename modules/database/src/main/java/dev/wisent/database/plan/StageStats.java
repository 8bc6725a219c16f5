package dev.wisent.database.plan;

import java.util.List;

/**
 * What one step of a plan has done so far. The step that owns it counts while it runs, on one
 * thread; explain reads it afterwards.
 */
public final class StageStats {
  private final PlanNode node;
  private final List<StageStats> children;

  /** Calls of the step: each gives a row, asks for another call, or says that it is the end. */
  public long works;

  /** Rows given. */
  public long advanced;

  /** Calls that gave no row yet. */
  public long needTime;

  /** Times that the step let go of its state between commands. */
  public long suspended;

  public boolean ended;

  /** Time in this step and those below it; only taken where it is asked for. */
  public long nanos;

  public long keysExamined;
  public long documentsExamined;

  /** Documents that have a term of a search, but not all that it wants. */
  public long documentsRejected;

  /** Rows whose shard keys are not owned. */
  public long chunkSkips;

  /** Places that an index scan looked up, the first one included. */
  public long seeks;

  public long duplicatesTested;
  public long duplicatesDropped;

  /** What a sort has held in memory, and what it had to write out. */
  public long sortedBytes;

  public long spills;
  public long spilledBytes;

  /** How far a search by distance has come. */
  public List<SearchInterval> searchIntervals = List.of();

  public StageStats(PlanNode node, List<StageStats> children) {
    this.node = node;
    this.children = List.copyOf(children);
  }

  /** The counters as they are now, those below included. */
  public StageStats copy() {
    var copy = new StageStats(node, children.stream().map(StageStats::copy).toList());
    copy.works = works;
    copy.advanced = advanced;
    copy.needTime = needTime;
    copy.suspended = suspended;
    copy.ended = ended;
    copy.nanos = nanos;
    copy.keysExamined = keysExamined;
    copy.documentsExamined = documentsExamined;
    copy.documentsRejected = documentsRejected;
    copy.chunkSkips = chunkSkips;
    copy.seeks = seeks;
    copy.duplicatesTested = duplicatesTested;
    copy.duplicatesDropped = duplicatesDropped;
    copy.sortedBytes = sortedBytes;
    copy.spills = spills;
    copy.spilledBytes = spilledBytes;
    copy.searchIntervals = List.copyOf(searchIntervals);
    return copy;
  }

  public PlanNode node() {
    return node;
  }

  public List<StageStats> children() {
    return children;
  }

  /** Keys examined in this step and those below it. */
  public boolean has(Class<? extends PlanNode> kind) {
    return kind.isInstance(node) || children.stream().anyMatch(child -> child.has(kind));
  }

  public long totalKeysExamined() {
    long total = keysExamined;
    for (StageStats child : children) {
      total += child.totalKeysExamined();
    }
    return total;
  }

  /** Documents examined in this step and those below it. */
  public long totalDocumentsExamined() {
    long total = documentsExamined;
    for (StageStats child : children) {
      total += child.totalDocumentsExamined();
    }
    return total;
  }
}
