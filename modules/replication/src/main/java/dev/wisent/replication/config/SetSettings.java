package dev.wisent.replication.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bson.types.ObjectId;

/**
 * The settings of a configuration.
 *
 * @param chainingAllowed means nothing: members always get the log from the primary
 * @param electionTimeoutMillis how long at most a primary is not heard of before others stand;
 *     MongoDB's default is 10 s, and with ours a new one is there before that
 * @param catchUpTimeoutMillis means nothing, as the next one: a primary has everything from the
 *     beginning
 * @param writeConcernModes for each name how many different values of which tags are asked for
 * @param replicaSetId null where an administrator did not say
 */
public record SetSettings(
    boolean chainingAllowed,
    int heartbeatIntervalMillis,
    int heartbeatTimeoutSeconds,
    int electionTimeoutMillis,
    int catchUpTimeoutMillis,
    int catchUpTakeoverDelayMillis,
    Map<String, Map<String, Integer>> writeConcernModes,
    ObjectId replicaSetId) {
  public static final SetSettings DEFAULTS =
      new SetSettings(true, 2000, 10, 1200, -1, 30_000, Map.of(), null);

  public SetSettings {
    writeConcernModes = Collections.unmodifiableMap(new LinkedHashMap<>(writeConcernModes));
  }

  public Duration electionTimeout() {
    return Duration.ofMillis(electionTimeoutMillis);
  }

  public SetSettings withReplicaSetId(ObjectId id) {
    return new SetSettings(
        chainingAllowed,
        heartbeatIntervalMillis,
        heartbeatTimeoutSeconds,
        electionTimeoutMillis,
        catchUpTimeoutMillis,
        catchUpTakeoverDelayMillis,
        writeConcernModes,
        id);
  }
}
