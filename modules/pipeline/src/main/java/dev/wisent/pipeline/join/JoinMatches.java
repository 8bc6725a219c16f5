package dev.wisent.pipeline.join;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.DocumentStream;

/** The documents of a stage's input, and what belongs to each of them. */
interface JoinMatches {
  /**
   * The next document of the input, which stays valid until the next call, whatever becomes of the
   * input meanwhile; null at the end.
   */
  RawDocument next();

  /** What belongs to that document. To be asked for once, before the next one. */
  DocumentStream matches();
}
