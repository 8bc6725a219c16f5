package dev.wisent.database.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.Namespace;

/** The different values of a field among the matching documents. */
public record DistinctRequest(Namespace namespace, String key, RawDocument query, RawValue hint)
    implements Explainable {}
