package dev.wisent.simulation.workload;

/**
 * When something was done, as far as a client can know: between its begin and its acknowledgement.
 * What is never acknowledged may happen at any time after its begin, or never.
 */
final class Span {
  private final long began;
  private long acknowledged = Long.MAX_VALUE;

  Span(long began) {
    this.began = began;
  }

  long began() {
    return began;
  }

  void acknowledged(long now) {
    acknowledged = now;
  }

  boolean isAcknowledged() {
    return acknowledged != Long.MAX_VALUE;
  }

  /** Whether it was certainly done at a time. */
  boolean doneBy(long time) {
    return acknowledged < time;
  }

  /** Whether it may have been done at a time. */
  boolean begunBy(long time) {
    return began <= time;
  }
}
