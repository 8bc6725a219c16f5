/**
 * Migrations as the config servers coordinate them: {@link
 * dev.wisent.cluster.config.migration.MoveRangeCoordinator} grants one, has the donor carry it out,
 * and settles in the metadata what the donor has decided. {@link
 * dev.wisent.cluster.config.migration.MoveRange} is a request for one, of a client or the balancer.
 *
 * <p>A document of {@code config.migrations} stands for each from its grant to its end: {@code
 * {_id, ns, uuid, min, max, fromShard, toShard, version}}. The version is there while the donor may
 * give the range up; one migration of a collection has one at a time, so that versions are settled
 * in the order in which they were given.
 *
 * <p><b>Threading.</b> All classes are thread-safe.
 */
package dev.wisent.cluster.config.migration;
