/**
 * Takes the power away from a server under load and looks at what it has afterwards.
 *
 * <p>{@link dev.wisent.conformance.crash.CrashTest} runs rounds of: load, SIGKILL, restart, check.
 * A {@link dev.wisent.conformance.crash.Load} runs several writers, each of which keeps a model of
 * what the server acknowledged and of the one write that was under way; {@link
 * dev.wisent.conformance.crash.CrashChecks} compares the models with the restarted server.
 *
 * <p>The rule: what was acknowledged with {@code j: true} is there; a write that was under way when
 * the server died is there or not, document by document, but never in part; nothing else is there.
 *
 * <p>Threading: each writer and its model belong to one thread while the load runs, and to the test
 * thread after {@link dev.wisent.conformance.crash.Load#awaitEnd} returned.
 */
package dev.wisent.conformance.crash;
