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
 * @param calls the numbers of what it asks of shards
 * @param pages how it changes many documents
 */
public record PhaseContext(
    OperationContext operation,
    UUID id,
    String resource,
    RawDocument arguments,
    RawDocument data,
    CommandException failure,
    CallNumbers calls,
    Pages pages) {
  /** The same work with less time: a shard that does not answer is given up. */
  public PhaseContext within(long millisMax) {
    OperationContext part = OperationContext.internal(operation.clock());
    part.limitMillis(operation.millisLeft(millisMax));
    part.stopCheck(operation::checkNow);
    return new PhaseContext(part, id, resource, arguments, data, failure, calls, pages);
  }
}
