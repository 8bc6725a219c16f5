package dev.wisent.sharding.balance;

import dev.wisent.operation.Namespace;

/** Data that should move and has nowhere to go, or cannot be moved. */
public record Stall(Namespace namespace, MoveReason reason, String message) {}
