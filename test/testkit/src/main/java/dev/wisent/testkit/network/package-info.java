/**
 * Where the members of a cluster live, and cutting them off from each other.
 *
 * <p>{@link dev.wisent.testkit.network.MemberNetwork} hands out one {@link
 * dev.wisent.testkit.network.MemberHost} per member. With network namespaces each has an address of
 * its own and packets between two can be made to vanish; without them all share the loopback
 * address, and nothing can be cut.
 *
 * <p>Threading: confined to one test thread.
 */
package dev.wisent.testkit.network;
