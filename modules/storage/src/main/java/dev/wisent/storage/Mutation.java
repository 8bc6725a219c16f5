package dev.wisent.storage;

import java.util.List;

/**
 * One atomic set of key-value changes, ready to be logged, replicated and applied, with the logical
 * oplog entries that describe it.
 *
 * <p>Immutable by agreement: the arrays are not copied and must not be changed.
 *
 * @param batch the changes as a serialized RocksDB write batch (see {@link MutationBuilder})
 * @param changeCount how many key-value changes the batch holds
 * @param oplogEntries BSON oplog entries, in order; the local log does not store them
 */
public record Mutation(byte[] batch, int changeCount, List<byte[]> oplogEntries) {
  public Mutation {
    if (batch.length < MutationBuilder.HEADER_BYTES) {
      throw new IllegalArgumentException("a batch has at least a header");
    }
    oplogEntries = List.copyOf(oplogEntries);
  }

  /** Size of the serialized changes. */
  public int sizeBytes() {
    return batch.length;
  }

  public boolean isEmpty() {
    return changeCount == 0;
  }
}
