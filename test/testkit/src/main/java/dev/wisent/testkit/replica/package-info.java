/**
 * Replica sets of real server processes.
 *
 * <p>{@link dev.wisent.testkit.replica.ReplicaSetProcesses} starts and initiates one with the
 * official driver; its {@link dev.wisent.testkit.replica.Member}s can be killed, paused, restarted
 * on their data, and cut off from the others. Closing the set ends everything that it started.
 *
 * <p>Threading: one thread controls the set; any thread may use its connection strings.
 */
package dev.wisent.testkit.replica;
