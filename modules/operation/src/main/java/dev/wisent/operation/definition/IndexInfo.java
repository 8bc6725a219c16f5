package dev.wisent.operation.definition;

import dev.wisent.bson.RawDocument;
import java.util.UUID;

/**
 * An index.
 *
 * @param multikey whether a document has several keys in it
 * @param build the build under way; null for an index that is ready
 */
public record IndexInfo(RawDocument spec, boolean multikey, UUID build) {}
