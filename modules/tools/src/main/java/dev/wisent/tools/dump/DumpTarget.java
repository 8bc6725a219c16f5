package dev.wisent.tools.dump;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/** Where a dump is written. Thread-safe. */
interface DumpTarget extends Closeable {
  /** Writes what is known beside the documents, if that is not written yet. */
  void metadata(SourceCollection collection) throws IOException;

  /**
   * The documents of a collection: each write is one whole document. Closing it says that these are
   * all of them.
   */
  OutputStream open(SourceCollection collection) throws IOException;

  /** Gives up what is written after {@link #open}, which is not complete. */
  void abandon(SourceCollection collection, OutputStream out) throws IOException;

  /** Says that this is all; after a failure it is not called. */
  void complete() throws IOException;

  /** How messages call the place of a collection. */
  String describe(SourceCollection collection);
}
