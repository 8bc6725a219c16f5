package dev.wisent.operation.definition;

import dev.wisent.operation.Namespace;

/**
 * A collection to rename, also into another database.
 *
 * @param dropTarget whether a collection of the new name gives way
 */
public record RenameRequest(Namespace from, Namespace to, boolean dropTarget) {}
