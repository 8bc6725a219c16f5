package dev.wisent.query.key;

import dev.wisent.bson.IndexKeyV1;

/** Takes the keys of a document. */
@FunctionalInterface
public interface KeySink {
  /**
   * Takes one key, which no other key of the document equals. The encoder holds its bytes and type
   * bits only until this returns; the sink may append to it.
   */
  void accept(IndexKeyV1.Encoder key);
}
