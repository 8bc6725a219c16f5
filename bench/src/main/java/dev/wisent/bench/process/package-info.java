/**
 * The operating system's side of a benchmark: starting and stopping server processes ({@link
 * dev.wisent.bench.process.ChildProcess}), and what they use ({@link
 * dev.wisent.bench.process.ProcessTree}, {@link dev.wisent.bench.process.DirectorySize}). Linux
 * only where it reads {@code /proc}.
 *
 * <p>Everything here may be called from any thread.
 */
package dev.wisent.bench.process;
