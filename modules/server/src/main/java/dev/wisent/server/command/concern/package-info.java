/**
 * What clients ask around a command: how far a write must have got (write concern), what a read may
 * see (read concern), which members may answer it (read preference), and what all of that means on
 * a member of a replica set ({@link dev.wisent.server.command.concern.SetMembership}).
 */
package dev.wisent.server.command.concern;
