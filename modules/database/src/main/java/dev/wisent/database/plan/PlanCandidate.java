package dev.wisent.database.plan;

/**
 * One of the plans of a query.
 *
 * @param stats what its steps have done: of the winner, if it was run, up to its end
 * @param trial what they did in the race alone; null if there was none
 * @param score what the race gave it; 0 if there was none
 * @param cached whether it was taken from the plan cache
 */
public record PlanCandidate(StageStats stats, StageStats trial, double score, boolean cached) {}
