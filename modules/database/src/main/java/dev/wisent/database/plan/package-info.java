/**
 * How queries reach records: {@link dev.wisent.database.plan.Planner} chooses, {@link
 * dev.wisent.database.plan.RecordSource} and its kinds read. A source belongs to one thread.
 */
package dev.wisent.database.plan;
