/**
 * Collections on top of storage: {@link dev.wisent.database.LocalDatabase} implements the {@code
 * Operations} seam that commands are written against.
 *
 * <p>A write is evaluated under latches, committed as one mutation and then visible; readers use
 * snapshots and never wait. {@link dev.wisent.operation.OperationContext} goes along with every
 * call: loops over data ask it whether to stop.
 */
package dev.wisent.database;
