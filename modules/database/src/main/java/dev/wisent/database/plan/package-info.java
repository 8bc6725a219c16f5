/**
 * How queries reach records: {@link dev.wisent.database.plan.Planner} chooses, {@link
 * dev.wisent.database.plan.RecordSource} and its kinds read, {@link
 * dev.wisent.database.plan.OpenPlan} ties both to a snapshot. A source belongs to one thread.
 */
package dev.wisent.database.plan;
