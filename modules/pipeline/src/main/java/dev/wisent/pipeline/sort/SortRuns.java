package dev.wisent.pipeline.sort;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The runs of one sort, in the order in which they were made. Where many have come together they
 * are merged into one, so that the number of open files stays small.
 */
public final class SortRuns {
  /** Runs that are merged at a time, each of which then has a block in memory. */
  private static final int MERGE_WIDTH = 32;

  /** What these blocks may take together, unless two are more already. */
  private static final int MERGE_BYTES_MAX = 32 << 20;

  /** What a run takes that is read, in blocks: its own, and the key of its first entry. */
  private static final int BLOCKS_PER_RUN = 2;

  /** The entry that was given last and is being used or written, in blocks. */
  private static final int BLOCKS_IN_USE = 2;

  private final SortSpace space;
  private final HeldMemory memory;
  private final List<SortRun> runs = new ArrayList<>();
  private long written;
  private long entries;
  private long bytes;
  private int blockBytesMax = 1;

  /** What is read in the end; null before. */
  private Merge last;

  public SortRuns(SortSpace space) {
    this.space = space;
    this.memory = space.memory();
  }

  /** Adds a run of entries in order. */
  public void add(Iterator<SortEntry> sorted) {
    write(sorted);
    mergeEqual();
  }

  /** The same; to be followed by {@link #mergeEqual} when the memory of the entries is free. */
  void write(Iterator<SortEntry> sorted) {
    runs.add(write(sorted, 0));
    written++;
  }

  /** Merges runs where too many have come together. */
  void mergeEqual() {
    while (endsWithEqualRuns(width())) {
      int first = runs.size() - width();
      while (runs.size() > first + 1) {
        mergeFrom(first, affordable(width()));
      }
    }
  }

  private boolean endsWithEqualRuns(int width) {
    return runs.size() >= width && runs.get(runs.size() - width).level() == runs.getLast().level();
  }

  /** Where single entries are large, only a few runs can be read at the same time. */
  private int width() {
    return Math.clamp(MERGE_BYTES_MAX / blockBytesMax, 2, MERGE_WIDTH);
  }

  /** How many of so many runs there is memory for, which is held from now on; two at least. */
  private int affordable(int wanted) {
    int number = wanted;
    while (number > 2 && !memory.takes(blockBytes(number))) {
      number = Math.max(2, number / 2);
    }
    memory.require(blockBytes(number));
    return number;
  }

  private long blockBytes(int number) {
    return ((long) number * BLOCKS_PER_RUN + BLOCKS_IN_USE) * blockBytesMax;
  }

  /** Merges so many neighbours at a time into one, from a run on to the last. */
  private void mergeFrom(int first, int width) {
    for (int i = first; i + 1 < runs.size(); i++) {
      List<SortRun> part = runs.subList(i, Math.min(i + width, runs.size()));
      int level = part.stream().mapToInt(SortRun::level).max().orElseThrow();
      SortRun merged = write(new Merge(part), level + 1);
      part.forEach(run -> space.delete(run.file()));
      part.clear();
      runs.add(i, merged);
    }
    memory.shrink(0);
  }

  private SortRun write(Iterator<SortEntry> sorted, int level) {
    var writer = new SortRun.Writer(space.create());
    while (sorted.hasNext()) {
      SortEntry entry = sorted.next();
      space.meter().add(entry.document().document().length());
      writer.add(entry);
      if (level == 0) {
        entries++;
      }
    }
    SortRun run = writer.finish(level);
    bytes += run.file().length();
    blockBytesMax = Math.max(blockBytesMax, run.blockBytesMax());
    return run;
  }

  public boolean isEmpty() {
    return runs.isEmpty();
  }

  /** All entries in order. */
  public Iterator<SortEntry> merged() {
    // Those of one level were merged already; of several levels there may still be many.
    int width = width() < MERGE_WIDTH ? width() : Integer.MAX_VALUE;
    int readable = affordable(Math.min(runs.size(), width));
    while (runs.size() > readable) {
      // The last ones are the smallest. Where they are too many all are merged, to make half of
      // them or less.
      mergeFrom(runs.size() < 2 * readable ? runs.size() - readable : 0, readable);
      readable = affordable(Math.min(runs.size(), width));
    }
    last = new Merge(runs);
    space.reads(this);
    return last;
  }

  /** Lets go of all blocks that are read; they are read again when the next entry is wanted. */
  void suspend() {
    if (last != null && last.suspend()) {
      memory.shrink(0);
    }
  }

  public void delete() {
    runs.forEach(run -> space.delete(run.file()));
    runs.clear();
    last = null;
    memory.shrink(0);
  }

  /** How many times entries were written out of memory. */
  public long written() {
    return written;
  }

  /** How many entries were written out of memory. */
  public long entries() {
    return entries;
  }

  /** How many bytes were written, those of merges included. */
  public long bytes() {
    return bytes;
  }

  /** The entries of several runs in order; of equal ones those of the earlier run first. */
  private final class Merge implements Iterator<SortEntry> {
    private final SortRun.Reader[] readers;
    private final PriorityQueue<SortEntry> heads = new PriorityQueue<>(SortEntry.ORDER);

    /** The runs that have more entries, while none of their blocks is in memory; else null. */
    private int[] suspended;

    Merge(List<SortRun> runs) {
      readers = new SortRun.Reader[runs.size()];
      for (int i = 0; i < readers.length; i++) {
        readers[i] = runs.get(i).read(i);
        advance(i);
      }
    }

    private void advance(int run) {
      SortEntry head = readers[run].next();
      if (head != null) {
        heads.add(head);
      }
    }

    /** False where it has been done already. */
    boolean suspend() {
      if (suspended != null) {
        return false;
      }
      if (heads.isEmpty()) {
        return true;
      }
      suspended = heads.stream().mapToInt(head -> (int) head.sequence()).toArray();
      heads.clear();
      for (SortRun.Reader reader : readers) {
        reader.suspend();
      }
      return true;
    }

    private void resume() {
      if (suspended != null) {
        int[] left = suspended;
        memory.require(blockBytes(left.length));
        suspended = null;
        for (int run : left) {
          advance(run);
        }
      }
    }

    @Override
    public boolean hasNext() {
      return suspended != null || !heads.isEmpty();
    }

    @Override
    public SortEntry next() {
      resume();
      SortEntry first = heads.remove();
      advance((int) first.sequence());
      return first;
    }
  }
}
