package dev.wisent.base.loop;

/**
 * What a loop has done so far.
 *
 * @param turns turns that were completed
 * @param failures turns that ended with an exception
 * @param lastError the newest of those exceptions; null if there was none
 * @param running whether it was started and not stopped
 */
public record LoopCounts(
    String name, long turns, long failures, String lastError, boolean running) {}
