/**
 * What a client must be allowed to do before a command runs: {@link
 * dev.wisent.server.privilege.Privilege} names a resource and actions on it, in MongoDB's words.
 * {@link dev.wisent.server.privilege.Principal} is the one that a command runs for. Immutable
 * values; they know no command and no connection.
 */
package dev.wisent.server.privilege;
