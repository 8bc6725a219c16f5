/**
 * What is measured. A {@link dev.wisent.bench.workload.Workload} prepares its data on one {@link
 * dev.wisent.bench.workload.Subject} (a started target) and then runs there once per round. {@link
 * dev.wisent.bench.workload.Workloads} lists them all; a new one needs a class or a row there and a
 * line in docs/performance.md.
 *
 * <p>Every operation checks the size of its answer, so that a target cannot win by answering
 * wrongly. Workloads are called by the main thread; the clients that they make belong to one thread
 * each.
 */
package dev.wisent.bench.workload;
