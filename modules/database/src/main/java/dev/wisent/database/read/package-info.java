/** Reads of collections, and answers that are computed from their documents. */
package dev.wisent.database.read;
