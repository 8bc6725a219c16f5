package dev.wisent.operation.diagnostic;

/**
 * How often queries did without a race of plans, since the start of the node.
 *
 * @param hits plans that were taken from the cache
 * @param misses queries whose plan could have been in the cache, and was not
 * @param skipped queries whose plans are never cached
 * @param replanned plans from the cache that turned out to be bad
 */
public record PlanCacheFigures(long hits, long misses, long skipped, long replanned) {}
