/**
 * Inserts, updates and deletes. {@link dev.wisent.database.write.CollectionChanges} computes what
 * becomes one mutation; {@link dev.wisent.database.write.WriteUnit} latches, commits, and waits for
 * other writes; the executors decide which documents that is for.
 *
 * <p><b>Threading.</b> Executors are thread-safe; a unit belongs to one thread.
 */
package dev.wisent.database.write;
