/**
 * Inserts, updates and deletes. {@link dev.wisent.database.write.WriteUnit} gathers what becomes
 * one mutation; the executors fill it and decide what happens when two writers meet.
 */
package dev.wisent.database.write;
