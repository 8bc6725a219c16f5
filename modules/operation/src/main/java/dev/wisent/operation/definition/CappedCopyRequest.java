package dev.wisent.operation.definition;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;

/**
 * Documents of a collection to copy into a capped one.
 *
 * @param to null where the copy takes the place of the collection
 * @param limits of the capped collection, in the form that is stored
 */
public record CappedCopyRequest(Namespace from, Namespace to, RawDocument limits) {}
