package dev.wisent.operation.definition;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import java.util.List;

/**
 * Indexes to create, of a collection that is created too if there is none.
 *
 * @param indexes specifications in the form that is stored
 */
public record CreateIndexesRequest(Namespace namespace, List<RawDocument> indexes) {}
