package dev.wisent.server.metrics;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * How often and how long commands worked on each namespace, for top and {@code $collStats}.
 * Thread-safe.
 */
public final class NamespaceTimes {
  /** What top tells apart. */
  public enum Kind {
    QUERIES,
    GETMORE,
    INSERT,
    UPDATE,
    REMOVE,
    COMMANDS
  }

  /** What latencies are told apart by. */
  public enum Latency {
    READS,
    WRITES,
    COMMANDS
  }

  /** Times of one namespace. */
  public static final class Times {
    private final LongAdder[] micros = new LongAdder[Kind.values().length];
    private final LongAdder[] counts = new LongAdder[Kind.values().length];
    private final LatencyHistogram[] latencies = new LatencyHistogram[Latency.values().length];

    Times() {
      for (int i = 0; i < micros.length; i++) {
        micros[i] = new LongAdder();
        counts[i] = new LongAdder();
      }
      Arrays.setAll(latencies, ignored -> new LatencyHistogram());
    }

    public long micros(Kind kind) {
      return micros[kind.ordinal()].sum();
    }

    public long count(Kind kind) {
      return counts[kind.ordinal()].sum();
    }

    public LatencyHistogram latencies(Latency of) {
      return latencies[of.ordinal()];
    }
  }

  private static final int NAMESPACES_MAX = 10_000;

  private final Map<String, Times> byNamespace = new ConcurrentHashMap<>();

  public void add(String namespace, Kind kind, Latency latency, long micros) {
    Times times = byNamespace.get(namespace);
    if (times == null) {
      if (byNamespace.size() >= NAMESPACES_MAX) {
        return;
      }
      times = byNamespace.computeIfAbsent(namespace, ignored -> new Times());
    }
    times.micros[kind.ordinal()].add(micros);
    times.counts[kind.ordinal()].increment();
    times.latencies[latency.ordinal()].add(micros);
  }

  /** Of one namespace; zeros if nothing was done there. */
  public Times of(String namespace) {
    Times times = byNamespace.get(namespace);
    return times == null ? new Times() : times;
  }

  /** Sorted by namespace. */
  public Map<String, Times> all() {
    return new TreeMap<>(byNamespace);
  }
}
