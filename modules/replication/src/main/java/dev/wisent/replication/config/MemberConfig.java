package dev.wisent.replication.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One member of a configuration.
 *
 * @param id a number from 0 to 255 that it keeps
 * @param host {@code host:port}
 * @param tags in the order of the configuration
 * @param newlyAdded whether it came to a set that had data: its vote counts when it has the data
 */
public record MemberConfig(
    int id,
    String host,
    boolean arbiter,
    boolean buildIndexes,
    boolean hidden,
    double priority,
    int votes,
    long delaySeconds,
    Map<String, String> tags,
    boolean newlyAdded) {
  public MemberConfig {
    tags = Collections.unmodifiableMap(new LinkedHashMap<>(tags));
  }

  /** A member with the defaults of everything. */
  public static MemberConfig of(int id, String host) {
    return new MemberConfig(id, host, false, true, false, 1, 1, 0, Map.of(), false);
  }

  /** The same member, added to a set that has data already, or not. */
  public MemberConfig withNewlyAdded(boolean added) {
    return new MemberConfig(
        id, host, arbiter, buildIndexes, hidden, priority, votes, delaySeconds, tags, added);
  }

  public boolean isVoter() {
    return votes > 0;
  }

  /** Whether it may become primary. */
  public boolean isElectable() {
    return !arbiter && priority > 0;
  }

  /** Whether it counts for the majority of those that hold data. */
  public boolean isWritableVoter() {
    return isVoter() && !arbiter;
  }
}
