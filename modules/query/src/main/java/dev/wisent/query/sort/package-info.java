/**
 * Sorting documents in memory.
 *
 * <p>{@link dev.wisent.query.sort.SortPattern} is a parsed sort; {@link
 * dev.wisent.query.sort.SortKeyGenerator} makes keys whose byte order is the order asked for;
 * {@link dev.wisent.query.sort.Sorter} collects documents, all or the first few, within a bound of
 * memory. Patterns are immutable; generators and sorters belong to one thread.
 */
package dev.wisent.query.sort;
