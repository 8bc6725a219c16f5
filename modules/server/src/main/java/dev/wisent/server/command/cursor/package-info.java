/** What commands that open a cursor share: its argument and the first batch in the reply. */
package dev.wisent.server.command.cursor;
