/**
 * {@code wisent dump}: collections, their options and indexes into a directory or an archive.
 *
 * <p>{@link dev.wisent.tools.dump.DumpTool} is the way through it: {@link
 * dev.wisent.tools.dump.DumpSettings} from flags, {@link dev.wisent.tools.dump.SourceCatalog} for
 * what there is, {@link dev.wisent.tools.dump.SourceReader} for the documents, all of them of one
 * time where the server can do that, and a {@link dev.wisent.tools.dump.DumpTarget} for the files.
 *
 * <p>Threading: several collections are read beside each other, each by one thread.
 */
package dev.wisent.tools.dump;
