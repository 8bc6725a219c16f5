package dev.wisent.cluster.coordinator;

import dev.wisent.base.CommandException;
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
 * @param failure why the run is undone; null while it is not
 */
public record PhaseContext(
    OperationContext operation,
    UUID id,
    String resource,
    RawDocument arguments,
    RawDocument data,
    CommandException failure) {}
