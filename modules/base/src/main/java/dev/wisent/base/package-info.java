/**
 * What every other module may use: error codes, limits, and the seams for time.
 *
 * <p>Depends on nothing but the JDK. All types are immutable or thread-safe.
 */
package dev.wisent.base;
