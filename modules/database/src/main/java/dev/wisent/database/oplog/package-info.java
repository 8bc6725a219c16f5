/**
 * The oplog, in MongoDB's form: what is written down of each change ({@link
 * dev.wisent.database.oplog.OplogEntries} of documents, {@link
 * dev.wisent.database.oplog.CatalogEntries} of definitions), beside the change itself and in the
 * same mutation. The log completes the entries with their times ({@link
 * dev.wisent.database.oplog.OplogSlots}); nothing in this node reads them, but clients do.
 */
package dev.wisent.database.oplog;
