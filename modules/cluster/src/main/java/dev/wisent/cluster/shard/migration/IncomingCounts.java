package dev.wisent.cluster.shard.migration;

import dev.wisent.database.gate.WriteGate;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * How many documents of ranges that come are stored. The numbers follow the writes, so that nothing
 * is counted while writers wait for the end of a migration. They are those of one term: other
 * members write in between. Thread-safe.
 */
final class IncomingCounts {
  private final WriteGate gate;
  private final Map<UUID, Count> counts = new ConcurrentHashMap<>();

  IncomingCounts(WriteGate gate) {
    this.gate = gate;
  }

  /** Of one migration; guarded by itself. */
  private static final class Count {
    private long term;
    private long documents;
    private boolean known;

    /**
     * Writes under way. Where there are two, a request was repeated, and their sum is not known.
     */
    private int writes;

    private synchronized void begins(long newTerm) {
      known &= term == newTerm && writes == 0;
      writes++;
    }

    private synchronized void ended(long more, boolean done) {
      writes--;
      known &= done;
      documents += more;
    }

    private synchronized long get(long nowTerm) {
      return known && writes == 0 && term == nowTerm ? documents : -1;
    }

    private synchronized void set(long newTerm, long newDocuments) {
      term = newTerm;
      documents = newDocuments;
      known = writes == 0;
    }
  }

  private Count count(UUID id) {
    return counts.computeIfAbsent(id, unused -> new Count());
  }

  /** Nothing is stored. */
  void begin(UUID id) {
    count(id).set(gate.closings(), 0);
  }

  /**
   * Writes documents.
   *
   * @param write returns how many there are more
   */
  void change(UUID id, LongSupplier write) {
    Count count = count(id);
    count.begins(gate.closings());
    long more = 0;
    boolean done = false;
    try {
      more = write.getAsLong();
      done = true;
    } finally {
      count.ended(more, done);
    }
  }

  /**
   * How many there are.
   *
   * @param counted counts them, where that is not known here
   */
  long get(UUID id, LongSupplier counted) {
    long term = gate.closings();
    Count count = count(id);
    long known = count.get(term);
    if (known >= 0) {
      return known;
    }
    long documents = counted.getAsLong();
    count.set(term, documents);
    return documents;
  }

  void end(UUID id) {
    counts.remove(id);
  }
}
