package dev.wisent.replication.config;

import java.util.Map;
import org.bson.types.ObjectId;

/**
 * The settings of a configuration.
 *
 * @param writeConcernModes for each name how many different values of which tags are asked for
 */
public record SetSettings(
    boolean chainingAllowed,
    int heartbeatIntervalMillis,
    int heartbeatTimeoutSeconds,
    int electionTimeoutMillis,
    int catchUpTimeoutMillis,
    int catchUpTakeoverDelayMillis,
    Map<String, Map<String, Integer>> writeConcernModes,
    ObjectId replicaSetId) {}
