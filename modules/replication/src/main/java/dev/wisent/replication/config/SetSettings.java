package dev.wisent.replication.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bson.types.ObjectId;

/**
 * The settings of a configuration.
 *
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
      new SetSettings(true, 2000, 10, 10_000, -1, 30_000, Map.of(), null);

  public SetSettings {
    writeConcernModes = Collections.unmodifiableMap(new LinkedHashMap<>(writeConcernModes));
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
