package dev.wisent.operation.diagnostic;

import dev.wisent.bson.RawDocument;

/**
 * How often an index was used.
 *
 * @param spec its definition, with its key and name
 * @param sinceMillis when the counting began, in wall-clock time
 */
public record IndexUse(
    String name, RawDocument key, RawDocument spec, long operations, long sinceMillis) {}
