/**
 * What commands ask of a database, by value: {@link dev.wisent.operation.Operations} for documents,
 * with its requests, outcomes and cursors. A node binds it to its store, a router to shards.
 *
 * <p>{@link dev.wisent.operation.OperationContext} goes along with every call: loops over data ask
 * it whether to stop. Requests are immutable. A context, an outcome and a cursor belong to the
 * thread that runs the operation.
 */
package dev.wisent.operation;
