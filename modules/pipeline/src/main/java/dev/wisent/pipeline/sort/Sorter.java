package dev.wisent.pipeline.sort;

import dev.wisent.bson.RawDocument;
import java.util.Arrays;
import java.util.Iterator;

/**
 * Sorts documents: first all are added, then they are taken in order. What exceeds the memory goes
 * to files in sorted runs, which are merged in the end. With a limit no more documents are kept
 * than asked for. Documents with equal keys stay in the order in which they came.
 *
 * <p>The files belong to the {@link SortSpace}; a sort that ends early leaves them to it.
 */
public final class Sorter {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  /** Copies of documents up to this size are not counted. */
  private static final int UNCOUNTED_BYTES_MAX = 64 << 10;

  /**
   * What a large document takes while it is taken in, in its own size: its key while that is made
   * and when it is written, the entry of both, and the block that this becomes.
   */
  private static final int COPIES_MAX = 6;

  private final SortKeyGenerator keys;
  private final SortSpace space;
  private final SortRuns runs;
  private final HeldMemory memory;
  private final int limit;

  private SortBuffer buffer = new SortBuffer();

  /** Once a whole limit of documents is known, those that come after its last are out. */
  private byte[] bound;

  private long bytesSorted;
  private Iterator<SortEntry> merged;
  private boolean sorted;
  private int taken;

  /**
   * @param limit how many documents are wanted; 0 for all
   */
  public Sorter(SortPattern pattern, long limit, SortSpace space) {
    this.keys = new SortKeyGenerator(pattern);
    this.limit = limit <= 0 || limit >= NO_LIMIT ? NO_LIMIT : (int) limit;
    this.space = space;
    this.runs = new SortRuns(space);
    this.memory = space.memory();
  }

  /** Takes a document, copying it. */
  public void add(RawDocument document, long recordId) {
    if (mayBeAmongFirst(document)) {
      addLast(document, recordId);
    }
  }

  /**
   * Makes the key of a document and compares it with what is there: false where it is known that
   * the document is not wanted. One that is has to be added with {@link #addLast}.
   */
  public boolean mayBeAmongFirst(RawDocument document) {
    reserve(document);
    keys.generate(document);
    boolean wanted = isBeforeBound(keys.bytes(), keys.length());
    if (!wanted) {
      keys.trim();
      giveBack();
    }
    return wanted;
  }

  /** Takes the memory for the copies of a large document, before they are made. */
  private void reserve(RawDocument document) {
    if (document.length() <= UNCOUNTED_BYTES_MAX || !space.hasFiles()) {
      return;
    }
    long copies = (long) COPIES_MAX * document.length();
    if (!memory.allows(buffer.bytes() + copies)) {
      if (buffer.size() > 0) {
        spill();
      }
      memory.require(copies);
    }
  }

  /** What one has beyond the budget keeps others waiting. */
  private void giveBack() {
    if (memory.isOverdrawn()) {
      memory.shrink(buffer.bytes());
    }
  }

  /** Takes what is to be kept of the document that was last found to be wanted, copying it. */
  public void addLast(RawDocument kept, long recordId) {
    add(keys.bytes(), keys.length(), kept, recordId);
    keys.trim();
  }

  /** Takes a document that has its place by another key than that of the pattern. */
  public void add(byte[] key, RawDocument document, long recordId) {
    if (isBeforeBound(key, key.length)) {
      add(key, key.length, document, recordId);
    }
  }

  /** A document that equals the last one came later, so it is out too. */
  private boolean isBeforeBound(byte[] key, int length) {
    return bound == null || Arrays.compareUnsigned(key, 0, length, bound, 0, bound.length) < 0;
  }

  private void add(byte[] key, int length, RawDocument document, long recordId) {
    bytesSorted += buffer.add(key, length, document, recordId);
    if (buffer.size() / 2 >= limit) {
      cut();
    }
    if (memory.isOverdrawn() || !memory.allows(buffer.bytes())) {
      makeRoom();
    }
  }

  /** Leaves out what comes after the limit. */
  private void cut() {
    buffer.sort();
    bound = buffer.key(limit - 1);
    buffer = buffer.first(limit);
  }

  /** What is wanted of a full buffer may stay, if that leaves room for some more. */
  private void makeRoom() {
    if (buffer.size() > limit) {
      long full = buffer.bytes();
      cut();
      boolean roomy = !space.hasFiles() || buffer.bytes() <= full / 2;
      if (roomy && !memory.isOverdrawn() && memory.allows(buffer.bytes())) {
        return;
      }
    }
    spill();
  }

  private void spill() {
    buffer.sort();
    runs.write(buffer.entries());
    if (buffer.size() == limit) {
      bound = buffer.key(limit - 1);
    }
    clear();
    runs.mergeEqual();
  }

  private void clear() {
    buffer = new SortBuffer();
    memory.shrink(0);
  }

  /** The next document in order; null at the end. Nothing can be added any more. */
  public SortedDocument next() {
    if (!sorted) {
      sorted = true;
      finish();
    }
    if (taken == limit || !hasNext()) {
      runs.delete();
      clear();
      merged = null;
      taken = limit;
      return null;
    }
    SortedDocument next = merged == null ? buffer.document(taken) : merged.next().document();
    taken++;
    space.meter().add(next.document().length());
    return next;
  }

  private boolean hasNext() {
    return merged == null ? taken < buffer.size() : merged.hasNext();
  }

  private void finish() {
    if (runs.isEmpty()) {
      buffer.sort();
      return;
    }
    if (buffer.size() > 0) {
      spill();
    }
    merged = runs.merged();
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
