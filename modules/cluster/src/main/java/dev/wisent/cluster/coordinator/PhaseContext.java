package dev.wisent.cluster.coordinator;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import java.util.UUID;

/**
 * What a phase works with.
 *
 * @param operation ends with the leadership of this member
 * @param id of this run of the coordinator
 * @param resource the database or collection that it is about
 * @param arguments as they were given
 * @param data what earlier phases have stored
 */
public record PhaseContext(
    OperationContext operation,
    UUID id,
    String resource,
    RawDocument arguments,
    RawDocument data) {}
