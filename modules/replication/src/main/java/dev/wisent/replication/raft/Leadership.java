package dev.wisent.replication.raft;

/**
 * Who leads, as far as this node knows.
 *
 * @param term the newest term that it knows of
 * @param leaderId null if no leader is known
 * @param ready whether this node leads and has applied everything of earlier terms, so that it can
 *     evaluate writes
 */
public record Leadership(long term, String leaderId, boolean ready) {}
