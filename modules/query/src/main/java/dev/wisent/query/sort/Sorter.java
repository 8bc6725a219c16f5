package dev.wisent.query.sort;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Sorts documents in memory. With a limit it keeps no more documents than asked for. Documents with
 * equal keys stay in the order in which they came.
 */
public final class Sorter {
  /** What an entry takes beside its bytes, roughly. */
  private static final long ENTRY_OVERHEAD_BYTES = 112;

  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private static final class Entry {
    static final Comparator<Entry> ORDER =
        (a, b) -> {
          int keys = Arrays.compareUnsigned(a.key, b.key);
          return keys != 0 ? keys : Long.compare(a.sequence, b.sequence);
        };

    private final byte[] key;
    private final long sequence;
    private final SortedDocument document;

    Entry(byte[] key, long sequence, SortedDocument document) {
      this.key = key;
      this.sequence = sequence;
      this.document = document;
    }

    long bytes() {
      return ENTRY_OVERHEAD_BYTES + key.length + document.document().length();
    }
  }

  private final SortKeyGenerator keys;
  private final int limit;
  private final long bytesMax;

  /** In the order of arrival, or with a limit a heap with the last one on top. */
  private final Collection<Entry> entries;

  private long bytes;
  private long sequence;

  /**
   * @param limit how many documents are wanted; 0 for all
   * @param bytesMax how much memory the sort may take
   */
  public Sorter(SortPattern pattern, long limit, long bytesMax) {
    this.keys = new SortKeyGenerator(pattern);
    this.limit = limit <= 0 || limit >= NO_LIMIT ? NO_LIMIT : (int) limit;
    this.bytesMax = bytesMax;
    this.entries =
        this.limit == NO_LIMIT ? new ArrayList<>() : new PriorityQueue<>(Entry.ORDER.reversed());
  }

  /** A sorter within the usual bound. */
  public Sorter(SortPattern pattern, long limit) {
    this(pattern, limit, Limits.SORT_BYTES_MAX);
  }

  /** Takes a document, copying it if it is only a part of its array. */
  public void add(RawDocument document, long recordId) {
    byte[] key = keys.key(document);
    if (entries instanceof PriorityQueue<Entry> heap && heap.size() == limit) {
      // A document that equals the last one came later, so it is out too.
      if (Arrays.compareUnsigned(key, heap.peek().key) >= 0) {
        return;
      }
      bytes -= heap.poll().bytes();
    }
    var entry = new Entry(key, sequence++, new SortedDocument(document.detached(), recordId));
    bytes += entry.bytes();
    if (bytes > bytesMax) {
      throw new CommandException(
          ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED,
          "Sort exceeded memory limit of "
              + bytesMax
              + " bytes, but did not opt in to external sorting.");
    }
    entries.add(entry);
  }

  /** The documents in order. The sorter is empty afterwards. */
  public List<SortedDocument> finish() {
    var sorted = new ArrayList<>(entries);
    entries.clear();
    bytes = 0;
    sorted.sort(Entry.ORDER);
    var documents = new ArrayList<SortedDocument>(sorted.size());
    for (Entry entry : sorted) {
      documents.add(entry.document);
    }
    return documents;
  }
}
