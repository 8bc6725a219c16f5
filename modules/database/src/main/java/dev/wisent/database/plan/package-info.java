/**
 * What plans are: trees of {@link dev.wisent.database.plan.PlanNode}, what their steps have done
 * ({@link dev.wisent.database.plan.StageStats}), which of them won races ({@link
 * dev.wisent.database.plan.PlanCache}) and which indexes they may use ({@link
 * dev.wisent.database.plan.IndexFilters}), both by the shape of queries. A collection holds the
 * last two; nothing here knows collections. {@code dev.wisent.database.planner} makes plans, {@code
 * dev.wisent.database.exec} runs them.
 */
package dev.wisent.database.plan;
