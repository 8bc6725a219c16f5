package dev.wisent.server.profile;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.match.MatchExpression;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

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
    static final Database OFF = new Database(0, null, null);

    /** Whether a command is told about only because it was slow. */
    boolean onlySlow() {
      return level < 2 && filter == null;
    }
  }

  /** Those that differ from {@link Database#OFF}; replaced as a whole, under this object's lock. */
  private volatile Map<String, Database> databases = Map.of();

  private volatile long slowMillis = 100;
  private volatile double sampleRate = 1;

  public Database of(String database) {
    Map<String, Database> all = databases;
    return all.isEmpty() ? Database.OFF : all.getOrDefault(database, Database.OFF);
  }

  public synchronized void set(String database, Database settings) {
    var changed = new HashMap<>(databases);
    if (settings.equals(Database.OFF)) {
      changed.remove(database);
    } else {
      changed.put(database, settings);
    }
    databases = Map.copyOf(changed);
  }

  /** Back to nothing, for a database that is dropped. */
  public void forget(String database) {
    set(database, Database.OFF);
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

  boolean isSlow(long nanos) {
    return nanos >= slowMillis * NANOS_PER_MILLI;
  }

  boolean isSampled() {
    double rate = sampleRate;
    return rate >= 1 || ThreadLocalRandom.current().nextDouble() < rate;
  }
}
