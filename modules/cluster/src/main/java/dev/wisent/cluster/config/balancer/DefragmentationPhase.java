package dev.wisent.cluster.config.balancer;

import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** How far the defragmentation of a collection is, as {@code config.collections} has it. */
enum DefragmentationPhase {
  /** Finds out how large the chunks are, and merges neighbours. */
  MERGE_AND_MEASURE("mergeAndMeasureChunks"),
  /** Moves small chunks to the shards of their neighbours. */
  MOVE_AND_MERGE("moveAndMergeChunks"),
  /** Merges what has come together. */
  MERGE("mergeChunks");

  /** Set while a collection is to be defragmented. */
  static final String ASKED = "defragmentCollection";

  private static final String FIELD = "defragmentationPhase";

  private final String text;

  DefragmentationPhase(String text) {
    this.text = text;
  }

  /** As MongoDB names it. */
  String text() {
    return text;
  }

  /** Whether a collection is to be defragmented. */
  static boolean isAsked(RawDocument collection) {
    return DocumentFields.isTrue(collection, ASKED);
  }

  /** The first where none is stored. */
  static DefragmentationPhase of(RawDocument collection) {
    String stored = DocumentFields.text(collection, FIELD);
    for (DefragmentationPhase each : values()) {
      if (each.text.equals(stored)) {
        return each;
      }
    }
    return MERGE_AND_MEASURE;
  }

  /** The document of a collection with this phase. */
  RawDocument storedIn(RawDocument collection) {
    return DocumentFields.with(collection, FIELD, RawValue.ofString(text));
  }

  /** The document of a collection that is not to be defragmented, or no longer. */
  static RawDocument ended(RawDocument collection) {
    return DocumentFields.without(DocumentFields.without(collection, ASKED), FIELD);
  }
}
