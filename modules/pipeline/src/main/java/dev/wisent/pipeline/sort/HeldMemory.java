package dev.wisent.pipeline.sort;

/**
 * The memory that one sort, group or table holds. It is taken from the {@link MemoryBudget} in
 * pieces, so that most questions are answered without asking there. Belongs to one thread.
 */
public final class HeldMemory {
  private static final long PIECE_BYTES = 1 << 20;

  private final SortSpace space;

  /** What was taken from the budget; at least what is held. */
  private long taken;

  HeldMemory(SortSpace space) {
    this.space = space;
  }

  /**
   * Whether there is room for so many bytes in all. If not, some have to go to files, or the work
   * has to end.
   */
  public boolean allows(long bytes) {
    if (bytes > space.bytesMax()) {
      return false;
    }
    if (bytes <= taken) {
      return true;
    }
    MemoryBudget budget = space.budget();
    long piece = Math.min(PIECE_BYTES, budget.small());
    long more = Math.max(bytes - taken, piece);
    if (budget.take(more)) {
      keep(more);
      return true;
    }
    if (bytes <= budget.small()) {
      budget.add(more);
      keep(more);
      return true;
    }
    return false;
  }

  private void keep(long more) {
    taken += more;
    space.taken(more);
  }

  /** Gives back all but so many bytes. */
  public void shrink(long bytes) {
    if (bytes < taken && !space.isClosed()) {
      space.budget().add(bytes - taken);
      keep(bytes - taken);
    }
  }

  /** The most that can be held. */
  public long bytesMax() {
    return Math.min(space.bytesMax(), space.budget().bytesMax());
  }
}
