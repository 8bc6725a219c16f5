/**
 * {@code wisent advise}: reads a sample of a collection and of its queries over the wire, from this
 * server or from MongoDB, and shows what shard keys would do to them. The figures come from {@code
 * dev.wisent.sharding.advice}; here are flags, the connection, the table and the page. For one
 * thread.
 */
package dev.wisent.cli.advise;
