/** Checks that records, index entries and counters of a collection agree. */
package dev.wisent.database.check;
