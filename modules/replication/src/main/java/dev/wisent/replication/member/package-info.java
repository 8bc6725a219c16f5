/**
 * What one member does for its replica set: it keeps the configuration, has Raft's peers follow it,
 * tells the others how it is and hears how they are.
 *
 * <p>{@link dev.wisent.replication.member.ReplicaSetMember} is what commands see. Members talk to
 * each other by commands on their MongoDB ports, through a {@link
 * dev.wisent.wire.client.NodeClient}. All classes are thread-safe unless they say otherwise.
 */
package dev.wisent.replication.member;
