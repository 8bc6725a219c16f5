/** Binds {@link dev.wisent.operation.diagnostic} to the collections of a node. Thread-safe. */
package dev.wisent.database.diagnostic;
