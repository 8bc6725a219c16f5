/** The commands that end transactions. */
package dev.wisent.server.command.transaction;
