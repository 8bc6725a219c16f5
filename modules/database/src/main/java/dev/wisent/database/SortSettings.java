package dev.wisent.database;

import dev.wisent.base.Limits;
import dev.wisent.base.ScratchSpace;
import dev.wisent.query.sort.MemoryBudget;
import dev.wisent.query.sort.SortSpace;

/** What sorts may use; can be changed while the server runs. Thread-safe. */
public final class SortSettings {
  private final ScratchSpace scratch;
  private final MemoryBudget budget;
  private volatile long bytesMax = Limits.SORT_BYTES_MAX;
  private volatile boolean diskUseByDefault = true;

  SortSettings(ScratchSpace scratch, MemoryBudget budget) {
    this.budget = budget;
    this.scratch = scratch;
  }

  /**
   * What the sorts of a query may use, as its first operation says; closed with the query's plan.
   */
  public SortSpace space(OperationContext operation) {
    return space(operation, operation::checkInterrupt);
  }

  /**
   * The same for work that goes on under other operations.
   *
   * @param interrupt asks the operation of the moment whether to stop
   */
  public SortSpace space(OperationContext operation, Runnable interrupt) {
    boolean onDisk = operation.diskUse() == null ? diskUseByDefault : operation.diskUse();
    return new SortSpace(bytesMax, onDisk ? scratch : null, interrupt, budget);
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
