package dev.wisent.operation.diagnostic;

/**
 * How many documents a collection has, and how many bytes they are.
 *
 * @param orphans those of the documents that this node does not own as a shard
 */
public record DataSize(long documents, long bytes, long orphans) {
  /** Of a collection that does not exist. */
  public static final DataSize NONE = new DataSize(0, 0, 0);

  /** Without what the node does not own, as if all documents had the same size. */
  public long ownedBytes() {
    return documents == 0 ? 0 : bytes - bytes / documents * Math.min(orphans, documents);
  }
}
