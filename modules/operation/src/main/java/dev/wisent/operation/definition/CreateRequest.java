package dev.wisent.operation.definition;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import java.util.UUID;

/**
 * A collection or view to create.
 *
 * @param options checked, and in the form that is stored
 * @param uuid null for a new one; a view has none
 */
public record CreateRequest(Namespace namespace, RawDocument options, UUID uuid) {}
