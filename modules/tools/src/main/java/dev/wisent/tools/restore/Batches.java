package dev.wisent.tools.restore;

import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.format.DocumentStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bson.RawBsonDocument;

/** Documents of a stream in pieces of the size of an insert. */
final class Batches {
  static final int DOCUMENTS_MAX = 1_000;
  static final int BYTES_MAX = 4 << 20;

  /** Takes a piece. */
  @FunctionalInterface
  interface Taker {
    void take(List<RawBsonDocument> documents) throws ToolException, IOException;
  }

  private Batches() {}

  static void read(DocumentStream stream, Taker taker) throws ToolException, IOException {
    List<RawBsonDocument> batch = new ArrayList<>();
    long begin = stream.position();
    for (RawBsonDocument next = stream.next(); next != null; next = stream.next()) {
      batch.add(next);
      if (batch.size() == DOCUMENTS_MAX || stream.position() - begin >= BYTES_MAX) {
        taker.take(batch);
        batch = new ArrayList<>();
        begin = stream.position();
      }
    }
    if (!batch.isEmpty()) {
      taker.take(batch);
    }
  }
}
