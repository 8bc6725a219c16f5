/**
 * What every other module may use: error codes, limits, and the seams for time ({@link
 * dev.wisent.base.Clock}), threads ({@link dev.wisent.base.Scheduler}) and chance ({@link
 * dev.wisent.base.RandomSource}).
 *
 * <p>Depends on nothing but the JDK. All types are immutable or thread-safe.
 */
package dev.wisent.base;
