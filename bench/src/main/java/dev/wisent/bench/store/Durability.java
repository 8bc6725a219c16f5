package dev.wisent.bench.store;

/** What a write waits for before it is acknowledged. */
public enum Durability {
  /** The workload writes nothing. */
  READ_ONLY,
  /** Applied; on disk within the journal interval ({@code w:1, j:false}). */
  ACKNOWLEDGED,
  /** On disk ({@code w:1, j:true}). */
  JOURNALED,
  /** On disk on a majority of the members ({@code w:"majority"}); on one node, on its disk. */
  MAJORITY
}
