package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/**
 * What findAndModify did.
 *
 * @param value the document to return, or null
 * @param matched how many documents were changed or removed: 0 or 1, also 1 for an upsert
 * @param updatedExisting whether an existing document was updated
 * @param upsertedId the {@code _id} of a new document, or null
 * @param retried the number of the statement if it was done before; otherwise null
 */
public record FindAndModifyOutcome(
    RawDocument value,
    int matched,
    boolean updatedExisting,
    RawValue upsertedId,
    Integer retried) {}
