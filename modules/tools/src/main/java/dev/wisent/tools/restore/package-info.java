/**
 * {@code wisent restore}: a dump into a server.
 *
 * <p>{@link dev.wisent.tools.restore.RestoreTool} is the way through it: documents of all
 * collections, then the oplog, then indexes, views, users and roles. A {@link
 * dev.wisent.tools.restore.DumpSource} reads a directory or an archive, {@link
 * dev.wisent.tools.restore.CollectionRestore} is one collection under way and knows what of it is
 * missing, {@link dev.wisent.tools.restore.InsertPipeline} inserts.
 *
 * <p>Threading: collections of a directory are read beside each other, an archive by one thread;
 * each collection has threads that insert.
 */
package dev.wisent.tools.restore;
