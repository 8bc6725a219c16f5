/**
 * Requests and outcomes of document operations, and the seam that serves them. Immutable values.
 */
package dev.wisent.database.operation;
