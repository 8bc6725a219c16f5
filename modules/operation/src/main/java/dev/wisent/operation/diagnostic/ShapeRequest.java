package dev.wisent.operation.diagnostic;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.query.collation.CollationChoice;

/**
 * A query shape, given by a query of that shape.
 *
 * @param query null for every shape
 */
public record ShapeRequest(
    Namespace namespace,
    RawDocument query,
    RawDocument sort,
    RawDocument projection,
    CollationChoice collation) {}
