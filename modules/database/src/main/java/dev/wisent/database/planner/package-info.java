/**
 * How documents of a query can be reached: {@link dev.wisent.database.planner.Planner} makes plans,
 * trees of {@link dev.wisent.database.plan.PlanNode}, from a parsed {@link
 * dev.wisent.database.planner.Query} and the indexes of a collection.
 *
 * <p>{@code AccessFinder} finds which indexes the conditions of a filter can use, {@code
 * IndexAccessBuilder} what they say about the parts of an index's keys, {@code SortAnalysis} which
 * order comes out of that, and {@code PlanAssembler} puts the steps together. Nothing here reads
 * documents or keys; everything is immutable or belongs to one call.
 */
package dev.wisent.database.planner;
