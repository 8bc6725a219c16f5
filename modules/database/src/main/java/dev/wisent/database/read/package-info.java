/** Answers that are computed from the documents of a query: counts and distinct values. */
package dev.wisent.database.read;
