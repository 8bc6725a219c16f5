package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Documents that were found by distance and wait for their turn. Beyond a limit only their record
 * ids are kept, and they have to be read again: all places may be at the same distance.
 */
final class NearBuffer {
  private static final long DOCUMENT_BYTES_MAX = 16L * 1024 * 1024;

  private final PriorityQueue<Entry> entries =
      new PriorityQueue<>(
          Comparator.comparingDouble(Entry::distance).thenComparingLong(Entry::recordId));
  private long bytes;

  /**
   * One document.
   *
   * @param document null where it has to be read again
   */
  record Entry(double distance, long recordId, RawDocument document) {}

  void add(double distance, long recordId, RawDocument document) {
    boolean fits = bytes + document.length() <= DOCUMENT_BYTES_MAX;
    if (fits) {
      bytes += document.length();
    }
    RawDocument kept = fits ? RawDocument.of(document.toByteArray()) : null;
    entries.add(new Entry(distance, recordId, kept));
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** The nearest one; null if there is none. */
  Entry peek() {
    return entries.peek();
  }

  Entry poll() {
    Entry nearest = entries.poll();
    if (nearest != null && nearest.document != null) {
      bytes -= nearest.document.length();
    }
    return nearest;
  }
}
