/**
 * A role without a store: collections are lists in memory, behind the seam of {@code
 * dev.wisent.operation}. It shows that the real server needs nothing else of what is below it.
 */
package dev.wisent.conformance.fake;
