/**
 * Change streams: entries of the oplog as events. {@link
 * dev.wisent.database.changestream.ChangeStreams} opens one; {@link
 * dev.wisent.database.changestream.EventCursor} takes the entries from an {@link
 * dev.wisent.database.changestream.OplogSource} of the {@link
 * dev.wisent.database.changestream.SharedTail}, which all streams of a node share, {@link
 * dev.wisent.database.changestream.EventReader} makes events of them, and {@link
 * dev.wisent.database.changestream.ResumableCursor} gives clients the place to go on from. What an
 * event needs beside its entry comes through {@link dev.wisent.database.changestream.ChangeImages}
 * and {@link dev.wisent.database.changestream.CurrentDocuments}. A stream belongs to one thread at
 * a time. The package knows no collections.
 */
package dev.wisent.database.changestream;
