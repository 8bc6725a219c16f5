/** Replica sets and sharded clusters inside one JVM, for tests and small programs. */
package dev.wisent.cluster.embedded;
