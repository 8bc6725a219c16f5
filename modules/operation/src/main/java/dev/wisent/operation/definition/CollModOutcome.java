package dev.wisent.operation.definition;

import dev.wisent.bson.RawDocument;

/**
 * What was changed about a collection.
 *
 * @param report what was and what is of an index, as the reply shows it
 */
public record CollModOutcome(RawDocument report, ChangeOutcome change) {}
