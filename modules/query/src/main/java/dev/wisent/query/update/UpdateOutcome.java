package dev.wisent.query.update;

import dev.wisent.bson.RawDocument;

/**
 * What an update made of a document.
 *
 * @param modified false where the update left everything as it was; then {@code document} is the
 *     original, and nothing need be written
 * @param document the document after the update
 * @param touched the paths that may differ from the original
 */
public record UpdateOutcome(boolean modified, RawDocument document, TouchedPaths touched) {
  static UpdateOutcome unchanged(RawDocument original) {
    return new UpdateOutcome(false, original, TouchedPaths.NONE);
  }
}
