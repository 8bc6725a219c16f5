package dev.wisent.replication;

/**
 * The connection of this member to another one, for one purpose.
 *
 * @param pool what it is used for
 * @param host the other one's {@code host:port}
 * @param open whether there is a connection now
 * @param inUse whether a call is under way
 * @param created how often a connection was made
 */
public record MemberLink(String pool, String host, boolean open, boolean inUse, int created) {}
