package dev.wisent.server.cursor;

import dev.wisent.bson.RawDocument;

/**
 * Where an open cursor comes from.
 *
 * @param command the command that opened it
 * @param planSummary how it reaches its data; null if nothing was planned
 * @param documents how many documents the first batch had
 */
public record CursorOrigin(RawDocument command, String planSummary, long documents) {}
