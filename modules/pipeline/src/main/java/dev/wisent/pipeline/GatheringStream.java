package dev.wisent.pipeline;

/**
 * A stream that takes in all documents before it gives the first of its own. They can be fed to it
 * bit by bit: an input that has no more for now ends, and may have more at the next call.
 */
public interface GatheringStream extends DocumentStream {
  /** Takes in what the input has. Nothing may follow the first {@link #next}. */
  void gather();
}
