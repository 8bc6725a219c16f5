package dev.wisent.pipeline;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;

/** Documents, one after the other. */
@FunctionalInterface
public interface DocumentStream {
  /** The next document, whose bytes stay valid until the next call; null at the end. */
  RawDocument next();

  /** Appends what explain shows of the memory and files that were used, under MongoDB's names. */
  default void appendUse(BsonBuilder out) {
    // Most use none.
  }
}
