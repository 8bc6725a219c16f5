package dev.wisent.server.metrics;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters since the start, for serverStatus and top. Thread-safe. */
public final class ServerMetrics {
  private static final long FOREGROUND_MICROS_MAX = 1_000_000;

  /** What serverStatus counts under {@code opcounters}. */
  public enum OpCounter {
    INSERT,
    QUERY,
    UPDATE,
    DELETE,
    GETMORE,
    COMMAND
  }

  /** Calls of one command. */
  public static final class CommandCount {
    private final LongAdder total = new LongAdder();
    private final LongAdder failed = new LongAdder();

    public long total() {
      return total.sum();
    }

    public long failed() {
      return failed.sum();
    }
  }

  private final LongAdder[] opCounters = new LongAdder[OpCounter.values().length];
  private final Map<String, CommandCount> commands = new ConcurrentHashMap<>();
  private final NamespaceTimes namespaces = new NamespaceTimes();
  private final LongAdder bytesIn = new LongAdder();
  private final LongAdder bytesOut = new LongAdder();
  private final LongAdder requests = new LongAdder();
  private final DocumentCounts documents = new DocumentCounts();
  private final LongAdder userAsserts = new LongAdder();

  private final LongAdder foregroundMicros = new LongAdder();
  private final LongAdder foregroundCount = new LongAdder();

  public ServerMetrics() {
    for (int i = 0; i < opCounters.length; i++) {
      opCounters[i] = new LongAdder();
    }
  }

  public void count(OpCounter counter, long more) {
    opCounters[counter.ordinal()].add(more);
  }

  public long value(OpCounter counter) {
    return opCounters[counter.ordinal()].sum();
  }

  public void command(String name, boolean failed) {
    CommandCount count = commands.computeIfAbsent(name, ignored -> new CommandCount());
    count.total.increment();
    if (failed) {
      count.failed.increment();
      userAsserts.increment();
    }
  }

  /** How often a command was called. */
  public long calls(String name) {
    CommandCount count = commands.get(name);
    return count == null ? 0 : count.total();
  }

  /** Sorted by name. */
  public Map<String, CommandCount> commands() {
    return new TreeMap<>(commands);
  }

  /** Counts a read or write of a client; one that took very long counts as a second. */
  public void foreground(long micros) {
    foregroundMicros.add(Math.min(micros, FOREGROUND_MICROS_MAX));
    foregroundCount.increment();
  }

  /** How long reads and writes of clients took together. */
  public long foregroundMicros() {
    return foregroundMicros.sum();
  }

  /** How many reads and writes of clients there were. */
  public long foregroundCount() {
    return foregroundCount.sum();
  }

  public NamespaceTimes namespaces() {
    return namespaces;
  }

  public void request(int messageBytes) {
    requests.increment();
    bytesIn.add(messageBytes);
  }

  public void reply(int messageBytes) {
    bytesOut.add(messageBytes);
  }

  public long requests() {
    return requests.sum();
  }

  public long bytesIn() {
    return bytesIn.sum();
  }

  public long bytesOut() {
    return bytesOut.sum();
  }

  public DocumentCounts documents() {
    return documents;
  }

  public long userAsserts() {
    return userAsserts.sum();
  }
}
