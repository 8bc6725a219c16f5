/**
 * Cursors that outlive a command: {@link dev.wisent.server.cursor.CursorRegistry} keeps them
 * between a find and its getMores. Thread-safe.
 */
package dev.wisent.server.cursor;
