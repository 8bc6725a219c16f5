/**
 * Documents that go by themselves when their time is over. {@link dev.wisent.server.ttl.TtlMonitor}
 * has a thread of its own and is thread-safe.
 */
package dev.wisent.server.ttl;
