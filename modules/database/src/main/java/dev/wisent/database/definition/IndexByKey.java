package dev.wisent.database.definition;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueOrder;
import dev.wisent.bson.ValueText;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import java.util.List;

/** Finds the index that a command names by its key pattern. */
final class IndexByKey {
  private IndexByKey() {}

  /**
   * @param notFound what the error begins with when there is none; the key pattern follows
   */
  static IndexDefinition find(CollectionDefinition collection, RawDocument key, String notFound) {
    List<IndexDefinition> fitting =
        collection.indexes().stream().filter(index -> ValueOrder.equal(index.key(), key)).toList();
    if (fitting.isEmpty()) {
      throw new CommandException(ErrorCode.INDEX_NOT_FOUND, notFound + ValueText.of(key));
    }
    if (fitting.size() > 1) {
      throw new CommandException(
          ErrorCode.AMBIGUOUS_INDEX_KEY_PATTERN,
          "index keyPattern "
              + ValueText.of(key)
              + " matches "
              + fitting.size()
              + " indexes, must use index name. Conflicting indexes:"
              + ValueText.of(fitting.get(0).spec())
              + ", "
              + ValueText.of(fitting.get(1).spec()));
    }
    return fitting.getFirst();
  }
}
