/**
 * Logical sessions: {@link dev.wisent.server.session.SessionRegistry} knows which are in use on
 * this node, and {@link dev.wisent.server.session.SessionReaper} ends those that are not used any
 * more, with their cursors and with what is recorded of their writes. Thread-safe.
 */
package dev.wisent.server.session;
