/**
 * Runs plans. {@link dev.wisent.database.exec.PlanExecutor} starts them, {@link
 * dev.wisent.database.exec.RunningPlan} is one under way, made of {@link
 * dev.wisent.database.exec.Step}s, one for each {@link dev.wisent.database.plan.PlanNode}. Of
 * several plans for a query {@code PlanRace} finds the best, and {@link
 * dev.wisent.database.plan.PlanCache} remembers it.
 *
 * <p>The executor and the caches are thread-safe; plans and steps belong to one thread at a time.
 */
package dev.wisent.database.exec;
