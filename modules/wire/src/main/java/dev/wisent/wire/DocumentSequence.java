package dev.wisent.wire;

import dev.wisent.bson.RawDocument;
import java.util.List;

/** A kind 1 section: documents that belong to a field of the command body. */
public record DocumentSequence(String name, List<RawDocument> documents) {
  /** The length of the documents, which are side by side in their message. */
  public int bytes() {
    if (documents.isEmpty()) {
      return 0;
    }
    RawDocument last = documents.getLast();
    return last.offset() + last.length() - documents.getFirst().offset();
  }
}
