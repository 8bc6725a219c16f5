/** Calls of a router to shards and config servers, and the cursors that come of them. */
package dev.wisent.cluster.call;
