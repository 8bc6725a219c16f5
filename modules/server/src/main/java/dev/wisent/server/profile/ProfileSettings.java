package dev.wisent.server.profile;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import java.util.HashMap;
import java.util.Map;

/** Which commands are told about. Thread-safe. */
public final class ProfileSettings {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * What holds for one database.
   *
   * @param level 0: nothing goes to {@code system.profile}; 1: slow commands; 2: all
   * @param filter what decides instead of the time, as it was given; null for none
   * @param matching the filter, ready to be used; null for none
   */
  public record Database(int level, RawDocument filter, MatchExpression matching) {
    /** Whether a command is told about only because it was slow. */
    boolean onlySlow() {
      return level < 2 && filter == null;
    }
  }

  /** What holds for databases for which nothing else was said. */
  private final Database initial;

  /** Those that differ from the initial settings; replaced as a whole, under this object's lock. */
  private volatile Map<String, Database> databases = Map.of();

  private final ProfilingOptions options;
  private final RandomSource random;
  private volatile long slowMillis;
  private volatile double sampleRate;

  /**
   * @throws IllegalArgumentException for a filter that is not a query
   */
  public ProfileSettings(ProfilingOptions options, Clock clock, RandomSource random) {
    this.options = options;
    this.random = random;
    this.slowMillis = options.slowMillis();
    this.sampleRate = options.sampleRate();
    this.initial = initial(options, clock, random);
  }

  private static Database initial(ProfilingOptions options, Clock clock, RandomSource random) {
    if (options.filter().isEmpty()) {
      return new Database(options.level(), null, null);
    }
    String text = options.filter().get();
    try {
      RawDocument filter = RawDocument.parse(text);
      QueryContext context = QueryContexts.of(new OperationContext(clock, random, () -> false));
      return new Database(options.level(), filter, MatchParser.parse(filter, context));
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "Bad filter for profiling: " + text + ": " + e.getMessage(), e);
    }
  }

  public Database of(String database) {
    Map<String, Database> all = databases;
    return all.isEmpty() ? initial : all.getOrDefault(database, initial);
  }

  public synchronized void set(String database, Database settings) {
    var changed = new HashMap<>(databases);
    if (settings.equals(initial)) {
      changed.remove(database);
    } else {
      changed.put(database, settings);
    }
    databases = Map.copyOf(changed);
  }

  /** Back to what the server was started with, for a database that is dropped. */
  public void forget(String database) {
    set(database, initial);
  }

  /** Back to what the server was started with, for all databases. */
  public synchronized void reset() {
    databases = Map.of();
    slowMillis = options.slowMillis();
    sampleRate = options.sampleRate();
  }

  /** From how many milliseconds on a command is slow. */
  public long slowMillis() {
    return slowMillis;
  }

  public void slowMillis(long millis) {
    slowMillis = millis;
  }

  /** Which part of the slow commands is told about, from 0 to 1. */
  public double sampleRate() {
    return sampleRate;
  }

  public void sampleRate(double rate) {
    sampleRate = rate;
  }

  public boolean isSlow(long nanos) {
    return nanos >= slowMillis * NANOS_PER_MILLI;
  }

  public boolean isSampled() {
    double rate = sampleRate;
    return rate >= 1 || random.nextDouble() < rate;
  }
}
