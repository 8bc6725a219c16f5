package dev.wisent.wire.client;

import dev.wisent.wire.HostAndPort;

/**
 * The connections to one host.
 *
 * @param pool the name of the client
 * @param inUse connections with a call
 * @param available idle connections
 * @param connecting connections that are being made
 * @param queued calls that wait for a connection
 * @param created connections that were made since the start
 * @param refused calls that failed at once, because the queue was full or the circuit open
 * @param circuitOpen whether the host is taken for dead
 */
public record HostPoolStats(
    String pool,
    HostAndPort host,
    int inUse,
    int available,
    int connecting,
    int queued,
    long created,
    long refused,
    boolean circuitOpen) {}
