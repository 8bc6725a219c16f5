package dev.wisent.sharding.advice;

/** One thing that speaks for or against a shard key. */
public record Finding(Subject subject, Weight weight, String text) {
  /** What it is about. */
  public enum Subject {
    /** How many values there are. */
    CARDINALITY,
    /** Values that fill whole chunks. */
    JUMBO,
    /** Which shards inserts go to. */
    INSERTS,
    /** Which part of the data has to be in memory. */
    LOCALITY,
    /** Which shards queries are for. */
    QUERIES,
    /** Whether the documents can have the key at all. */
    FIELDS
  }

  /** How much it counts. */
  public enum Weight {
    GOOD,
    NOTE,
    WARNING,
    BAD
  }
}
