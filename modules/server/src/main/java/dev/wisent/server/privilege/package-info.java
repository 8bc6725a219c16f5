/**
 * What a client must be allowed to do before a command runs: {@link
 * dev.wisent.server.privilege.Privilege} names a resource and actions on it, in MongoDB's words.
 * Immutable values; they know no command, connection or user.
 */
package dev.wisent.server.privilege;
