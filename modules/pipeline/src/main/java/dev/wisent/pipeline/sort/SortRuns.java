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

  private final SortSpace space;
  private final List<SortRun> runs = new ArrayList<>();
  private long written;
  private long entries;
  private long bytes;
  private int blockBytesMax = 1;

  public SortRuns(SortSpace space) {
    this.space = space;
  }

  /** Adds a run of entries in order. */
  public void add(Iterator<SortEntry> sorted) {
    runs.add(write(sorted, 0));
    written++;
    while (endsWithEqualRuns()) {
      mergeLast();
    }
  }

  private boolean endsWithEqualRuns() {
    int width = width();
    return runs.size() >= width && runs.get(runs.size() - width).level() == runs.getLast().level();
  }

  /** Where single entries are large, only a few runs can be read at the same time. */
  private int width() {
    return Math.clamp(MERGE_BYTES_MAX / blockBytesMax, 2, MERGE_WIDTH);
  }

  private void mergeLast() {
    List<SortRun> last = runs.subList(runs.size() - width(), runs.size());
    SortRun merged = write(new Merge(last), last.getLast().level() + 1);
    last.forEach(run -> space.delete(run.file()));
    last.clear();
    runs.add(merged);
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
    while (width() < MERGE_WIDTH && runs.size() > width()) {
      mergeLast();
    }
    return new Merge(runs);
  }

  public void delete() {
    runs.forEach(run -> space.delete(run.file()));
    runs.clear();
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
  private static final class Merge implements Iterator<SortEntry> {
    private final SortRun.Reader[] readers;
    private final PriorityQueue<SortEntry> heads = new PriorityQueue<>(SortEntry.ORDER);

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

    @Override
    public boolean hasNext() {
      return !heads.isEmpty();
    }

    @Override
    public SortEntry next() {
      SortEntry first = heads.remove();
      advance((int) first.sequence());
      return first;
    }
  }
}
