/**
 * Writers that tests run beside what they look at. {@link dev.wisent.testkit.load.MixedLoad} writes
 * documents and definitions of all kinds.
 *
 * <p>Threading: a load has threads of its own; it is started and closed by one test thread.
 */
package dev.wisent.testkit.load;
