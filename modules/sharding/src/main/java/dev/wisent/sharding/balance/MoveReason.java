package dev.wisent.sharding.balance;

/** Why a range moves, the most urgent reason first. */
public enum MoveReason {
  DRAINING("draining"),
  ZONE_VIOLATION("zoneViolation"),
  /** The new chunk at the growing end of a collection. */
  GROWING_END(null),
  CHUNKS_IMBALANCE("chunksImbalance"),
  /** A small chunk goes to a neighbour. */
  DEFRAGMENTATION("defragmentingChunks");

  private final String violation;

  MoveReason(String violation) {
    this.violation = violation;
  }

  /** As {@code balancerCollectionStatus} calls it; null where the collection is balanced. */
  public String violation() {
    return violation;
  }
}
