package dev.wisent.server.operation;

import dev.wisent.operation.OperationContext;

/**
 * Something that the server does for itself, as currentOp shows it and killOp finds it.
 *
 * @param description who does it
 * @param kind what it does, in the words of currentOp
 */
public record BackgroundOperation(
    int id, String description, String kind, String namespace, OperationContext context) {}
