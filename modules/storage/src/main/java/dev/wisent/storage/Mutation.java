package dev.wisent.storage;

import java.util.List;

/**
 * One atomic set of key-value changes, ready to be logged, replicated and applied, with the logical
 * oplog entries that describe it. Made by a {@link MutationBuilder}, or from received bytes.
 *
 * <p>Immutable by agreement: the arrays are not copied and must not be changed.
 */
public final class Mutation {
  private final byte[] batch;
  private final int changeCount;
  private final List<byte[]> oplogEntries;
  private final List<PreImage> preImages;
  private final boolean chained;

  /** For a batch that is known to be well formed. */
  Mutation(
      byte[] batch,
      int changeCount,
      List<byte[]> oplogEntries,
      List<PreImage> preImages,
      boolean chained) {
    this.batch = batch;
    this.changeCount = changeCount;
    this.oplogEntries = List.copyOf(oplogEntries);
    this.preImages = List.copyOf(preImages);
    this.chained = chained;
  }

  /**
   * A mutation from the bytes of another one's {@link #batch()}. They are checked, because RocksDB
   * logs a batch before it looks into it: a malformed one would make the store unreadable.
   *
   * @throws IllegalArgumentException if the bytes are not a well-formed batch
   */
  public static Mutation ofBatch(byte[] batch, List<byte[]> oplogEntries) {
    return new Mutation(batch, BatchFormat.validate(batch), oplogEntries, List.of(), false);
  }

  /** The changes as a serialized RocksDB write batch. */
  public byte[] batch() {
    return batch;
  }

  /** How many key-value changes the batch holds. */
  public int changeCount() {
    return changeCount;
  }

  /** Oplog entries, in order. The local log does not store them. */
  public List<byte[]> oplogEntries() {
    return oplogEntries;
  }

  /** Documents before the changes that oplog entries describe, in the order of the entries. */
  public List<PreImage> preImages() {
    return preImages;
  }

  /** Whether each oplog entry is to say which one is before it, as those of a transaction do. */
  public boolean isChained() {
    return chained;
  }

  /** Size of the serialized changes. */
  public int sizeBytes() {
    return batch.length;
  }

  public boolean isEmpty() {
    return changeCount == 0 && oplogEntries.isEmpty();
  }
}
