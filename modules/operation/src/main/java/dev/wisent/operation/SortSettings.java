package dev.wisent.operation;

import dev.wisent.base.Limits;
import dev.wisent.base.ScratchSpace;
import dev.wisent.pipeline.sort.MemoryBudget;
import dev.wisent.pipeline.sort.SortSpace;

/** What sorts may use; can be changed while the server runs. Thread-safe. */
public final class SortSettings {
  private final ScratchSpace scratch;
  private final MemoryBudget budget;
  private volatile long bytesMax = Limits.SORT_BYTES_MAX;
  private volatile boolean diskUseByDefault = true;

  public SortSettings(ScratchSpace scratch, MemoryBudget budget) {
    this.budget = budget;
    this.scratch = scratch;
  }

  /**
   * What the sorts of a query may use, as its first operation says; closed with the query's plan.
   */
  public SortSpace space(OperationContext operation) {
    boolean onDisk = operation.diskUse() == null ? diskUseByDefault : operation.diskUse();
    return new SortSpace(bytesMax, onDisk ? scratch : null, operation.query().meter(), budget);
  }

  /** What the sorts of all queries may take together. */
  public MemoryBudget budget() {
    return budget;
  }

  /** How much memory a sort may take. */
  public long bytesMax() {
    return bytesMax;
  }

  public void bytesMax(long bytes) {
    bytesMax = bytes;
  }

  /** Whether sorts may use files where a command does not say. */
  public boolean diskUseByDefault() {
    return diskUseByDefault;
  }

  public void diskUseByDefault(boolean allowed) {
    diskUseByDefault = allowed;
  }
}
