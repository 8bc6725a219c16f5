package dev.wisent.server.command.cursor;

import dev.wisent.base.CommandException;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.ResultCursor;

/** Fills the batch of a cursor reply. */
public final class BatchWriter {
  /** A batch ends before it would be larger than a document may be. */
  private static final int BATCH_BYTES_MAX = Limits.DOCUMENT_BYTES_MAX;

  private BatchWriter() {}

  /**
   * Writes up to {@code documentsMax} documents as an array.
   *
   * @param doing what errors are said to have happened during; null to leave them as they are
   * @return how many were written
   */
  public static int write(
      String name, ResultCursor results, long documentsMax, String doing, BsonBuilder reply) {
    try {
      return write(name, results, documentsMax, reply);
    } catch (CommandException e) {
      throw doing == null ? e : e.during(doing);
    }
  }

  private static int write(
      String name, ResultCursor results, long documentsMax, BsonBuilder reply) {
    reply.startArray(name);
    int start = reply.position();
    int count = 0;
    while (count < documentsMax) {
      RawDocument document = results.peek();
      if (document == null) {
        break;
      }
      if (count > 0 && reply.position() - start + document.length() > BATCH_BYTES_MAX) {
        break;
      }
      reply.appendDocument(count, document);
      results.take();
      count++;
    }
    reply.end();
    return count;
  }
}
