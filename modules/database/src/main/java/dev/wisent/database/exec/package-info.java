/** Runs plans: their steps, the race between several, and what is remembered of it. */
package dev.wisent.database.exec;
