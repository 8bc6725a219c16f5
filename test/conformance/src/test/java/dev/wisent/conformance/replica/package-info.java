/**
 * Replica sets of real processes as drivers and administrators see them: read preferences, write
 * concerns, status and configuration, members that come and go.
 *
 * <p>Tests that leave the members alone share one set ({@link
 * dev.wisent.conformance.replica.SharedReplicaSet}); those that take members away have their own.
 */
package dev.wisent.conformance.replica;
