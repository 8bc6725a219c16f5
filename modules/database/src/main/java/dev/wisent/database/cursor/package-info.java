/** Results that are fetched batch by batch. A cursor belongs to one command at a time. */
package dev.wisent.database.cursor;
