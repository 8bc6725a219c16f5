package dev.wisent.pipeline.sort;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.base.ScratchFile;
import dev.wisent.base.ScratchSpace;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the sorts of one query may use: so much memory each, together no more than there is for all
 * queries, and beyond that files, if they may. It owns the files, so that closing it deletes those
 * that a sort had no occasion to delete. Belongs to one thread.
 */
public final class SortSpace implements AutoCloseable {
  private final long bytesMax;
  private final ScratchSpace scratch;
  private final WorkMeter meter;
  private final MemoryBudget budget;
  private final Set<ScratchFile> files = new HashSet<>();

  /** What those who work here have taken of the budget. */
  private long taken;

  /** The runs that are being read. */
  private final List<SortRuns> read = new ArrayList<>();

  /** How many holders have more than there was. */
  private int overdrafts;

  private boolean closed;

  /**
   * @param bytesMax how much memory a sort may take
   * @param scratch where the rest goes; null if that is not allowed
   * @param meter counts the work, and ends it where it has to
   */
  public SortSpace(long bytesMax, ScratchSpace scratch, WorkMeter meter) {
    this(bytesMax, scratch, meter, MemoryBudget.unlimited());
  }

  /**
   * @param budget what the sorts share with those of other queries
   */
  public SortSpace(long bytesMax, ScratchSpace scratch, WorkMeter meter, MemoryBudget budget) {
    this.bytesMax = bytesMax;
    this.budget = budget;
    this.scratch = scratch;
    this.meter = meter;
  }

  /** The usual bound, and no files. */
  public static SortSpace inMemory() {
    return new SortSpace(Limits.SORT_BYTES_MAX, null, WorkMeter.unchecked());
  }

  public long bytesMax() {
    return bytesMax;
  }

  /** For the memory of one sort. */
  public HeldMemory memory() {
    return new HeldMemory(this);
  }

  MemoryBudget budget() {
    return budget;
  }

  /** Lets a holder have more than there is, if no other query has; waits for that a little. */
  boolean overdraws(long nanosMax) {
    try {
      if (!budget.overdraw(this, nanosMax)) {
        return false;
      }
    } catch (InterruptedException e) {
      throw new CommandException(ErrorCode.INTERRUPTED, "operation was interrupted");
    }
    overdrafts++;
    return true;
  }

  void endOverdraft() {
    if (overdrafts > 0 && --overdrafts == 0) {
      budget.endOverdraft(this);
    }
  }

  void reads(SortRuns runs) {
    read.add(runs);
  }

  /**
   * Gives back what is needed only to go on, and is read from files again: the query waits for its
   * client. Documents that were given stay readable.
   */
  public void suspend() {
    read.forEach(SortRuns::suspend);
  }

  void taken(long more) {
    taken += more;
  }

  boolean isClosed() {
    return closed;
  }

  /** Whether what exceeds the memory may go to files. */
  public boolean hasFiles() {
    return scratch != null;
  }

  /** Counts the work of those who use the space. */
  public WorkMeter meter() {
    return meter;
  }

  /** A file, which closing the space deletes if it still exists. */
  public ScratchFile create() {
    if (scratch == null) {
      throw new CommandException(
          ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED,
          "Sort exceeded memory limit of "
              + bytesMax
              + " bytes, but did not opt in to external sorting.");
    }
    ScratchFile file = scratch.create();
    files.add(file);
    return file;
  }

  public void delete(ScratchFile file) {
    files.remove(file);
    file.close();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      budget.add(-taken);
      budget.endOverdraft(this);
    }
    for (ScratchFile file : Set.copyOf(files)) {
      delete(file);
    }
  }
}
