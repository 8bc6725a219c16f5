package dev.wisent.replication.config;

import java.util.Map;

/**
 * One member of a configuration.
 *
 * @param id a number from 0 to 255 that it keeps
 * @param host {@code host:port}
 * @param tags in the order of the configuration
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
    Map<String, String> tags) {}
