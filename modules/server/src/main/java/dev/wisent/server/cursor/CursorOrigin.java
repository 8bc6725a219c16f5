package dev.wisent.server.cursor;

import dev.wisent.bson.RawDocument;
import dev.wisent.security.UserName;

/**
 * Where an open cursor comes from.
 *
 * @param command the command that opened it
 * @param planSummary how it reaches its data; null if nothing was planned
 * @param documents how many documents the first batch had
 * @param owner the user that opened it; null if it was none
 */
public record CursorOrigin(
    RawDocument command, String planSummary, long documents, UserName owner) {}
