package dev.wisent.operation.diagnostic;

/**
 * How often writes were retried since the start of the node.
 *
 * @param commands commands with a statement that was done already
 * @param records how often records of sessions were written
 * @param sessionsAtWork sessions that run a retryable write now
 */
public record RetryFigures(long commands, long statements, long records, int sessionsAtWork) {}
