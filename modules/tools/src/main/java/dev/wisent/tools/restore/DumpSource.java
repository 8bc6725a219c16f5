package dev.wisent.tools.restore;

import dev.wisent.tools.command.ToolException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.bson.RawBsonDocument;

/** A dump that is read. */
interface DumpSource extends Closeable {
  /** Takes documents, in their order within a collection; on several threads. */
  interface Sink {
    /** Of a collection that is about to be read. Returns whether it is wanted. */
    boolean begin(DumpedCollection collection) throws ToolException;

    /** More documents of a collection. */
    void documents(DumpedCollection collection, List<RawBsonDocument> documents)
        throws ToolException;

    /** There are no more documents in a collection. */
    void end(DumpedCollection collection) throws ToolException;

    /** The next entries of the oplog. */
    void oplog(List<RawBsonDocument> entries) throws IOException;
  }

  List<DumpedCollection> collections();

  boolean hasOplog();

  /** How many bytes of documents there are; negative if that is not known. */
  long bytes();

  /** Reads everything. */
  void read(Sink sink) throws ToolException, IOException;

  @Override
  default void close() throws IOException {}
}
