/**
 * Durable actions of several steps. A {@link dev.wisent.cluster.coordinator.Coordinator} is a list
 * of named phases, each of which can be repeated; {@link
 * dev.wisent.cluster.coordinator.Coordinators} stores which phase comes next before it runs, so
 * that the next primary goes on where the last one stopped. Each run has a thread of its own.
 */
package dev.wisent.cluster.coordinator;
