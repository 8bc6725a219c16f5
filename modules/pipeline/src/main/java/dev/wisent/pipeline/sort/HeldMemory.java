package dev.wisent.pipeline.sort;

import java.util.concurrent.TimeUnit;

/**
 * The memory that one sort, group or table holds. It is taken from the {@link MemoryBudget} in
 * pieces, so that most questions are answered without asking there. Belongs to one thread.
 */
public final class HeldMemory {
  private static final long PIECE_BYTES = 1 << 20;

  /** So that the end of an operation is noticed. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * How often it is looked whether others have given enough back, about half a minute. One that
   * waits for the reply of another operation may hold what that one waits for.
   */
  private static final int LOOKS_MAX = 1500;

  private final SortSpace space;

  /** What was taken from the budget; at least what is held. */
  private long taken;

  /** Whether some of it is more than there was. */
  private boolean overdrawn;

  HeldMemory(SortSpace space) {
    this.space = space;
  }

  /**
   * Whether there is room for so many bytes in all. If not, some have to go to files, or the work
   * has to end.
   */
  public boolean allows(long bytes) {
    return bytes <= space.bytesMax() && takes(bytes);
  }

  /** The same for memory that the limit of one sort is not about. */
  boolean takes(long bytes) {
    if (bytes <= taken) {
      return true;
    }
    MemoryBudget budget = space.budget();
    long piece = Math.min(PIECE_BYTES, budget.small());
    long more = Math.max(bytes - taken, piece);
    if (budget.take(more, bytes)) {
      keep(more);
      return true;
    }
    return false;
  }

  /**
   * Takes what the work cannot go on without. If it is not there, it is waited for; one query at a
   * time gets it all the same.
   */
  void require(long bytes) {
    for (int look = 0; !takes(bytes); look++) {
      if (overdrawn || space.overdraws(LOOK_NANOS) || look == LOOKS_MAX) {
        overdrawn = true;
        long more = bytes - taken;
        space.budget().add(more);
        keep(more);
        return;
      }
      space.meter().check();
    }
  }

  /** Whether it has more than there was, and should give that back soon. */
  boolean isOverdrawn() {
    return overdrawn;
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
    if (overdrawn) {
      overdrawn = false;
      space.endOverdraft();
    }
  }

  /** The most that can be held. */
  public long bytesMax() {
    return Math.min(space.bytesMax(), space.budget().bytesMax());
  }
}
