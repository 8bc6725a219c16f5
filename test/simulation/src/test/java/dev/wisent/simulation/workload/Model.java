package dev.wisent.simulation.workload;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** What clients have been told, and what follows from it for those who read. */
final class Model {
  /** A document that a client has inserted. */
  static final class Entry {
    final int id;
    final int key;
    final Span inserted;
    Span deleted;
    final List<Span> increments = new ArrayList<>();

    private Entry(int id, int key, Span inserted) {
      this.id = id;
      this.key = key;
      this.inserted = inserted;
    }

    /** Whether it is there during all of a time. */
    boolean isCertain(long from, long to) {
      return inserted.doneBy(from) && (deleted == null || !deleted.begunBy(to));
    }

    /** Whether it may be there at some moment of a time. */
    boolean isPossible(long from, long to) {
      return inserted.begunBy(to) && (deleted == null || !deleted.doneBy(from));
    }
  }

  /** An update of all documents of a range of keys. */
  record RangeUpdate(int low, int high, Span span) {
    boolean isOf(Entry entry) {
      return low <= entry.key && entry.key < high;
    }
  }

  private final TreeMap<Integer, Entry> entries = new TreeMap<>();
  private final List<RangeUpdate> rangeUpdates = new ArrayList<>();

  Entry insert(int id, int key, long now) {
    var entry = new Entry(id, key, new Span(now));
    entries.put(id, entry);
    return entry;
  }

  RangeUpdate update(int low, int high, long now) {
    var update = new RangeUpdate(low, high, new Span(now));
    rangeUpdates.add(update);
    return update;
  }

  Collection<Entry> entries() {
    return entries.values();
  }

  Entry entry(int id) {
    return entries.get(id);
  }

  /** Of the documents of a range of keys. */
  void checkCount(long count, int low, int high, long from, long to) {
    long certain = 0;
    long possible = 0;
    for (Entry entry : entries.values()) {
      if (low <= entry.key && entry.key < high) {
        certain += entry.isCertain(from, to) ? 1 : 0;
        possible += entry.isPossible(from, to) ? 1 : 0;
      }
    }
    if (count < certain || count > possible) {
      throw new Violation("a count of " + count + ", and there are " + certain + " to " + possible);
    }
  }

  /** How often a document was incremented by writes of its own. */
  void checkIncrements(Entry entry, long value, long from, long to) {
    long least = entry.increments.stream().filter(each -> each.doneBy(from)).count();
    long most = entry.increments.stream().filter(each -> each.begunBy(to)).count();
    if (value < least || value > most) {
      throw new Violation(
          "document "
              + entry.id
              + " was incremented "
              + least
              + " to "
              + most
              + " times, not "
              + value);
    }
  }

  /** How often a document was changed by updates of ranges. */
  void checkRangeUpdates(Entry entry, long value, long from, long to) {
    long least = 0;
    long most = 0;
    for (RangeUpdate update : rangeUpdates) {
      if (update.isOf(entry)) {
        boolean sawIt = entry.inserted.doneBy(update.span().began());
        least += sawIt && update.span().doneBy(from) ? 1 : 0;
        boolean wasThere = update.span().begunBy(to) && !endedBefore(update, entry);
        most += wasThere ? 1 : 0;
      }
    }
    if (value < least || value > most) {
      throw new Violation(
          "document "
              + entry.id
              + " was in "
              + least
              + " to "
              + most
              + " updates of ranges, not in "
              + value);
    }
  }

  private static boolean endedBefore(RangeUpdate update, Entry entry) {
    return update.span().doneBy(entry.inserted.began());
  }
}
