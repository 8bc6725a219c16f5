package dev.wisent.database.collection;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.index.Index;
import dev.wisent.operation.DuplicateKeyException;
import dev.wisent.operation.Namespace;

/** Says that a key would be twice in a unique index. */
public final class DuplicateKeys {
  private DuplicateKeys() {}

  /**
   * @param key as it is in the index
   */
  public static DuplicateKeyException of(Namespace namespace, Index index, RawDocument key) {
    return new DuplicateKeyException(
        namespace, index.name(), index.definition().key(), key, index.collation());
  }
}
