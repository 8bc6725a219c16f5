package dev.wisent.server.command;

import dev.wisent.operation.OperationContext;
import dev.wisent.server.connection.ClientConnection;

/** What a running command may ask about: who called, and the operation it runs under. */
public record CommandContext(ClientConnection client, OperationContext operation) {}
