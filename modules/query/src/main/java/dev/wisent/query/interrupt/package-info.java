/**
 * How a query is stopped from outside: {@link dev.wisent.query.interrupt.WorkMeter} is part of what
 * every query runs in. Streams of documents and frames of expressions count on it, so a stage or an
 * expression that loops over documents or variables is stopped without code of its own; a loop over
 * anything else counts by itself.
 */
package dev.wisent.query.interrupt;
