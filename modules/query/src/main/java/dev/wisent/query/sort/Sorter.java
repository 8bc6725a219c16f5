package dev.wisent.query.sort;

import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Sorts documents: first all are added, then they are taken in order. What exceeds the memory goes
 * to files in sorted runs, which are merged in the end. With a limit no more documents are kept
 * than asked for. Documents with equal keys stay in the order in which they came.
 *
 * <p>The files belong to the {@link SortSpace}; a sort that ends early leaves them to it.
 */
public final class Sorter {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private final SortKeyGenerator keys;
  private final SortSpace space;
  private final SortRuns runs;
  private final int limit;

  /** In the order of arrival, or with a limit a heap with the last one on top. */
  private Collection<SortEntry> entries;

  /** Once a whole limit of documents is in a run, those that come after its last are out. */
  private byte[] bound;

  private long bytes;
  private long bytesSorted;
  private long sequence;
  private Iterator<SortEntry> sorted;
  private int taken;

  /**
   * @param limit how many documents are wanted; 0 for all
   */
  public Sorter(SortPattern pattern, long limit, SortSpace space) {
    this.keys = new SortKeyGenerator(pattern);
    this.limit = limit <= 0 || limit >= NO_LIMIT ? NO_LIMIT : (int) limit;
    this.space = space;
    this.runs = new SortRuns(space);
    this.entries =
        this.limit == NO_LIMIT
            ? new ArrayList<>()
            : new PriorityQueue<>(SortEntry.ORDER.reversed());
  }

  /** Takes a document, copying it if it is only a part of its array. */
  public void add(RawDocument document, long recordId) {
    add(keys.key(document), document, recordId);
  }

  /** Takes a document that has its place by another key than that of the pattern. */
  public void add(byte[] key, RawDocument document, long recordId) {
    if (bound != null && Arrays.compareUnsigned(key, bound) >= 0) {
      return;
    }
    if (entries instanceof PriorityQueue<SortEntry> heap && heap.size() == limit) {
      // A document that equals the last one came later, so it is out too.
      if (Arrays.compareUnsigned(key, heap.peek().key()) >= 0) {
        return;
      }
      bytes -= heap.poll().bytes();
    }
    var entry = new SortEntry(key, sequence++, new SortedDocument(document.detached(), recordId));
    entries.add(entry);
    bytes += entry.bytes();
    bytesSorted += entry.bytes();
    if (bytes > space.bytesMax()) {
      spill();
    }
  }

  private void spill() {
    List<SortEntry> run = inOrder();
    runs.add(run.iterator());
    if (run.size() == limit) {
      bound = run.getLast().key();
    }
    entries.clear();
    bytes = 0;
  }

  private List<SortEntry> inOrder() {
    var run = new ArrayList<>(entries);
    run.sort(SortEntry.ORDER);
    return run;
  }

  /** The next document in order; null at the end. Nothing can be added any more. */
  public SortedDocument next() {
    if (sorted == null) {
      sorted = finish();
    }
    if (taken == limit || !sorted.hasNext()) {
      runs.delete();
      sorted = Collections.emptyIterator();
      return null;
    }
    taken++;
    return sorted.next().document();
  }

  private Iterator<SortEntry> finish() {
    if (runs.isEmpty()) {
      Iterator<SortEntry> inMemory = inOrder().iterator();
      entries = List.of();
      return inMemory;
    }
    if (!entries.isEmpty()) {
      spill();
    }
    return runs.merged();
  }

  /** How much was held in memory altogether. */
  public long bytesSorted() {
    return bytesSorted;
  }

  /** How many times documents were written to disk. */
  public long spills() {
    return runs.written();
  }

  public long spilledRecords() {
    return runs.entries();
  }

  public long spilledBytes() {
    return runs.bytes();
  }
}
