package dev.wisent.database.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** One delete of a batch: of the first match, or of all. */
public record DeleteStatement(RawDocument query, boolean multi, RawValue hint) {}
