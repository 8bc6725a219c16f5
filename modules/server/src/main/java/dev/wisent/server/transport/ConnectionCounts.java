package dev.wisent.server.transport;

/**
 * Figures of a transport at one moment.
 *
 * @param current open connections
 * @param available how many more would be let in
 * @param totalCreated connections let in since the start
 * @param rejected connections turned away at the limit since the start
 * @param active connections with a message being handled
 * @param threaded connections that have a thread; the others are idle
 */
public record ConnectionCounts(
    int current, int available, long totalCreated, long rejected, int active, int threaded) {}
