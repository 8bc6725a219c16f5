/**
 * The examples with which books explain sharding, each with its own data, on a cluster in this JVM.
 * They are written to be read: what is in a chunk, where a write goes, what a good key is.
 */
package dev.wisent.conformance.sharding.books;
