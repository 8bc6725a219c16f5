package dev.wisent.operation.definition;

import dev.wisent.bson.RawDocument;
import java.util.List;

/**
 * The indexes that were written anew.
 *
 * @param indexes their specifications
 */
public record ReIndexOutcome(List<RawDocument> indexes, ChangeOutcome change) {}
