/**
 * The servers under test. A {@link dev.wisent.bench.target.Target} starts its server (or finds a
 * running one), hands out a {@link dev.wisent.bench.store.Store} for the clients and a {@link
 * dev.wisent.bench.measure.Meter} for its costs, and leaves nothing behind when closed. {@link
 * dev.wisent.bench.target.TargetFactory} makes them from their names on the command line.
 *
 * <p>Targets are started, used and closed by the benchmark's main thread; the stores they hand out
 * are shared.
 */
package dev.wisent.bench.target;
