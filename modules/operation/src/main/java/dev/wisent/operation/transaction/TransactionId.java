package dev.wisent.operation.transaction;

import dev.wisent.operation.SessionId;

/** What tells one transaction from another: its session, and its number there. */
public record TransactionId(SessionId session, long number) {}
