package dev.wisent.operation.diagnostic;

/** How many documents a collection has, and how many bytes they are. */
public record DataSize(long documents, long bytes) {
  /** Of a collection that does not exist. */
  public static final DataSize NONE = new DataSize(0, 0);
}
