/**
 * Indexes at run time: the keys of documents ({@link dev.wisent.database.index.Index}), as the
 * entries that are stored ({@link dev.wisent.database.index.IndexEntries}), and which parts of them
 * come from arrays ({@link dev.wisent.database.index.ArrayMarks}). Nothing here knows collections.
 *
 * <p>Index entries have {@code ident, key} and as their value the record id and the type bits of
 * the key if the index is unique; otherwise the record id ends the key and the value is the type
 * bits alone.
 */
package dev.wisent.database.index;
