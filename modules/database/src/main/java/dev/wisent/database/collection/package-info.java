/**
 * Collections at run time: look-up ({@link dev.wisent.database.collection.Catalog}), changes of
 * definitions ({@link dev.wisent.database.collection.CatalogChanges}), index entries ({@link
 * dev.wisent.database.collection.Index}) and the latches of writers.
 *
 * <p>Records have the key {@code ident, record id} and the document as their value. Index entries
 * have {@code ident, key} and as their value the record id and the type bits of the key if the
 * index is unique; otherwise the record id ends the key and the value is the type bits alone.
 *
 * <p>Order of locks: catalog changes, then a collection's exclusive or shared lock, then the lock
 * of a capped collection; nobody waits for anything while holding a latch.
 */
package dev.wisent.database.collection;
