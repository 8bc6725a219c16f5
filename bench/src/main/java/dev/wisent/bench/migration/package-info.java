/**
 * What applications notice of migrations: {@link dev.wisent.bench.migration.PacedLoad} reads and
 * writes at a fixed rate while {@link dev.wisent.bench.migration.MovedCollection} moves chunks.
 *
 * <p>One thread sets up and moves; the load has a thread for each client.
 */
package dev.wisent.bench.migration;
