package dev.wisent.operation.definition;

/**
 * What became of indexes to create.
 *
 * @param before how many indexes the collection had
 * @param after how many it has
 * @param createdCollection whether the collection is new
 */
public record CreateIndexesOutcome(
    int before, int after, boolean createdCollection, ChangeOutcome change) {}
