package dev.wisent.sharding;

import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;

/**
 * Asks documents, one after the other, whether a shard owns their keys. Only the fields of the key
 * are looked at. For one thread.
 */
public final class OwnedKeys {
  private final OwnedRanges owned;
  private final IndexKeyV1.Encoder encoder = new IndexKeyV1.Encoder();

  public OwnedKeys(OwnedRanges owned) {
    this.owned = owned;
  }

  /** Whether the key of a document is owned; one without a valid key is not. */
  public boolean has(RawDocument document) {
    return owned.isComplete()
        || (owned.key().encodeKeyOf(document, encoder.reset())
            && owned.owns(encoder.bytes(), encoder.length()));
  }

  /**
   * The same of the key of an index that has all fields of the shard key.
   *
   * @param indexKey values under the paths of the index; hashes of what is hashed
   */
  public boolean hasIndexKey(RawDocument indexKey) {
    owned.key().encodeIndexKey(indexKey, encoder.reset());
    return owned.owns(encoder.bytes(), encoder.length());
  }
}
