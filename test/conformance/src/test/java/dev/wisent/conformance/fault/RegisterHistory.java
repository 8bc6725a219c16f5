package dev.wisent.conformance.fault;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Writes and reads of a register that keeps the greatest value ever written ({@code $max}), each
 * value being written once. Thread-safe.
 *
 * <p>Such a register makes linearizability easy to decide, also where outcomes are unknown: a read
 * returns a value whose write was begun before the read ended, and which is not smaller than any
 * that was acknowledged, or read, before the read began. A write that arrives late does no harm,
 * because it cannot bring an old value back.
 */
final class RegisterHistory {

  private static final int EXAMPLES_MAX = 10;

  /** A read and the moments, of one clock, between which it happened. */
  private record Read(String client, long begin, long end, long value) {}

  /** A moment from which on the register has at least this value. */
  private record Known(long from, long value) {}

  private final Map<Long, Long> writeBegins = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Known> acknowledged = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Read> reads = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Read> weakReads = new ConcurrentLinkedQueue<>();

  RegisterHistory(long initialValue) {
    writeBegins.put(initialValue, Long.MIN_VALUE);
    acknowledged.add(new Known(Long.MIN_VALUE, initialValue));
  }

  void writeBegins(long value, long now) {
    writeBegins.put(value, now);
  }

  void writeAcknowledged(long value, long now) {
    acknowledged.add(new Known(now, value));
  }

  /** A linearizable read was answered. */
  void read(String client, long begin, long end, long value) {
    reads.add(new Read(client, begin, end, value));
  }

  /** A read of a secondary was answered: it may be old, but never of something that is undone. */
  void weakRead(String client, long begin, long end, long value) {
    weakReads.add(new Read(client, begin, end, value));
  }

  int readCount() {
    return reads.size();
  }

  int acknowledgedCount() {
    return acknowledged.size() - 1;
  }

  /** What is wrong, given the value that the register has in the end. */
  List<String> check(long finalValue) {
    List<String> wrong = new ArrayList<>();
    NavigableMap<Long, Long> floor = floor();
    for (Read read : reads) {
      checkOrigin("linearizable read", read, wrong);
      // Strictly before: what ended in the same nanosecond is not known to be earlier.
      long least = floor.lowerEntry(Math.max(read.begin(), Long.MIN_VALUE + 1)).getValue();
      if (read.value() < least) {
        wrong.add("stale linearizable read, %d was known before: %s".formatted(least, read));
      }
    }
    for (Read read : weakReads) {
      checkOrigin("read of a secondary", read, wrong);
    }
    long greatestSeen =
        Math.max(
            floor.lastEntry().getValue(),
            weakReads.stream().mapToLong(Read::value).max().orElse(Long.MIN_VALUE));
    if (finalValue < greatestSeen) {
      wrong.add(
          "the register has %d in the end, but %d was seen or acknowledged"
              .formatted(finalValue, greatestSeen));
    }
    if (!writeBegins.containsKey(finalValue)) {
      wrong.add("the register has %d in the end, which nobody wrote".formatted(finalValue));
    }
    return wrong.subList(0, Math.min(wrong.size(), EXAMPLES_MAX));
  }

  private void checkOrigin(String what, Read read, List<String> wrong) {
    Long begin = writeBegins.get(read.value());
    if (begin == null || begin > read.end()) {
      wrong.add(what + " of a value that was not written by then: " + read);
    }
  }

  /** The value that the register has at least, from each moment on. */
  private NavigableMap<Long, Long> floor() {
    List<Known> known = new ArrayList<>(acknowledged);
    reads.forEach(read -> known.add(new Known(read.end(), read.value())));
    known.sort(Comparator.comparingLong(Known::from));
    NavigableMap<Long, Long> floor = new TreeMap<>();
    long greatest = Long.MIN_VALUE;
    for (Known each : known) {
      greatest = Math.max(greatest, each.value());
      floor.put(each.from(), greatest);
    }
    return floor;
  }
}
