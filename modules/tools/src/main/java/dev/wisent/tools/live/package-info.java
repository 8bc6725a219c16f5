/**
 * {@code wisent stat} and {@code wisent top}: figures of running servers, a row after each
 * interval.
 *
 * <p>{@link dev.wisent.tools.live.Members} finds the servers, {@link dev.wisent.tools.live.StatRow}
 * and {@link dev.wisent.tools.live.TopRow} compare two samples, {@link
 * dev.wisent.tools.live.TextTable} aligns columns.
 *
 * <p>Threading: members are asked beside each other; the rest is one thread.
 */
package dev.wisent.tools.live;
