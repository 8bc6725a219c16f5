package dev.wisent.pipeline.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.DocumentStream;

/** Takes documents to be written. Closed before it is complete, it leaves nothing half done. */
public interface DocumentSink extends AutoCloseable {
  /**
   * @param document whose bytes are valid until the call returns
   */
  void add(RawDocument document);

  /** Says that there are no more. */
  void complete();

  @Override
  void close();

  /** A stream without documents, which writes all of its input when it is asked for one. */
  static DocumentStream drain(DocumentStream input, DocumentSink sink) {
    return () -> {
      try (sink) {
        for (RawDocument document; (document = input.next()) != null; ) {
          sink.add(document);
        }
        sink.complete();
      }
      return null;
    };
  }

  /** Takes everything and writes nothing. */
  static DocumentSink ignoring() {
    return new DocumentSink() {
      @Override
      public void add(RawDocument document) {}

      @Override
      public void complete() {}

      @Override
      public void close() {}
    };
  }
}
