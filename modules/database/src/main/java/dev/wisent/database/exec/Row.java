package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;

/**
 * A row that a plan gave before it was asked for.
 *
 * @param document null where only a key was there
 * @param key the values of the key; null where there is a document
 */
record Row(long recordId, RawDocument document, RawDocument key) {
  static Row of(Step step) {
    RawDocument document = step.document();
    return document == null
        ? new Row(step.recordId(), null, step.keyDocument())
        : new Row(step.recordId(), RawDocument.of(document.toByteArray()), null);
  }
}
