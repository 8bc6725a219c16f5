/**
 * The one way to run something in the background, once or again and again.
 *
 * <p>{@link dev.wisent.base.loop.BackgroundLoops} belongs to one node and makes its {@link
 * dev.wisent.base.loop.BackgroundLoop}s. An exception does not end a loop: it is logged and
 * counted, and the loop goes on after a pause. An {@link java.lang.Error} is a broken invariant and
 * stops the node. A test ({@code dev.wisent.architecture}) keeps threads and schedulers out of the
 * other packages.
 *
 * <p>Threading: all types are thread-safe. Each loop has a thread of its own.
 */
package dev.wisent.base.loop;
