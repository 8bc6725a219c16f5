/**
 * Who is known to this server: {@link dev.wisent.server.access.AccessOptions} as it was started,
 * {@link dev.wisent.server.access.UserDirectory} for the users there are, {@link
 * dev.wisent.server.access.AccessControl} for both, {@link
 * dev.wisent.server.access.LocalhostException} for the time before there are any. Thread-safe.
 */
package dev.wisent.server.access;
