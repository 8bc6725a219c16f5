package dev.wisent.operation.diagnostic;

/**
 * What this member has applied that others have written, since its start.
 *
 * @param entries all entries of the oplog, also those that change nothing
 */
public record AppliedFigures(
    long inserts,
    long updates,
    long deletes,
    long commands,
    long entries,
    long batches,
    long bytes,
    long millis) {}
