/**
 * Collections at run time: look-up ({@link dev.wisent.database.collection.Catalog}), changes of
 * definitions ({@link dev.wisent.database.collection.CatalogChanges}), builds of indexes and the
 * latches of writers.
 *
 * <p>Records have the key {@code ident, record id} and the document as their value.
 *
 * <p>Order of locks: the gate of writes, catalog changes, a collection's exclusive or shared lock,
 * the lock of a capped collection, publication of a definition. No thread waits for anything while
 * holding a latch, except for the moment in which an index build takes a snapshot. Readers take the
 * definition lock alone, and only for a moment: while a plan is made and its snapshot taken. Waits
 * for the first three can be interrupted.
 *
 * <p>A definition and the entries that belong to it change in one mutation. An index build fills
 * the entries before ({@link dev.wisent.database.collection.IndexBuilds}). What it has written when
 * it is cut off belongs to idents that no definition names; the next start removes it, or in a
 * replica set the next leader ({@link dev.wisent.database.collection.OrphanedIdents}).
 *
 * <p>A replicated log applies entries of other members, too: {@link
 * dev.wisent.database.collection.LeadershipState} then keeps memory up to date, and separates these
 * entries from local writes in time. The applying thread waits for local writers without a lock; it
 * takes the publication of definitions alone.
 */
package dev.wisent.database.collection;
