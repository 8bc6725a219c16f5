/**
 * Sorting documents, in memory and beyond it.
 *
 * <p>{@link dev.wisent.pipeline.sort.SortPattern} is a parsed sort; {@link
 * dev.wisent.pipeline.sort.SortKeyGenerator} makes keys whose byte order is the order asked for;
 * {@link dev.wisent.pipeline.sort.Sorter} collects documents, all or the first few, within the
 * memory of a {@link dev.wisent.pipeline.sort.SortSpace} and in its files. Patterns are immutable;
 * the others belong to one thread.
 */
package dev.wisent.pipeline.sort;
