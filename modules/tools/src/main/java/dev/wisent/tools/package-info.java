/**
 * Programs that surround a server: clients of any MongoDB server, over the wire.
 *
 * <p>{@link dev.wisent.tools.Tools} names them. Each has a package of its own; all share flags and
 * messages ({@code command}) and the way to a server ({@code connection}), which is the official
 * driver.
 *
 * <p>Threading: a tool is run by one thread, and starts others through a {@link
 * dev.wisent.base.Scheduler}.
 */
package dev.wisent.tools;
