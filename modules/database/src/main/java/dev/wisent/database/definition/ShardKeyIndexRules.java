package dev.wisent.database.definition;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;

/**
 * What the indexes of a sharded collection must be like, however a change of them comes to the
 * shard.
 *
 * @param key null where all documents are on one shard, and everything is allowed
 */
record ShardKeyIndexRules(ShardKeyPattern key) {
  /**
   * @param specs in the form that is stored
   */
  void checkCreate(List<RawDocument> specs) {
    for (RawDocument spec : specs) {
      RawValue unique = spec.get("unique");
      if (unique != null && unique.isTruthy()) {
        checkUnique(spec.get("key").asDocument());
      }
    }
  }

  /** Fails where equal keys of a unique index could be on several shards. */
  void checkUnique(RawDocument indexKey) {
    if (key != null) {
      key.checkUnique(indexKey);
    }
  }

  /** Whether dropping all indexes leaves this one. */
  boolean keeps(IndexDefinition index) {
    return key != null && key.isSupportedBy(index.spec());
  }

  void checkDrop(CollectionDefinition definition, List<IndexDefinition> dropped) {
    if (isLost(definition, dropped)) {
      throw ShardKeyPattern.lastIndexDropped();
    }
  }

  void checkHide(CollectionDefinition definition, IndexDefinition hidden) {
    if (isLost(definition, List.of(hidden))) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Can't hide the only compatible index for this collection's shard key");
    }
  }

  /**
   * Whether no index is left that finds the documents of a chunk. MongoDB does without one where
   * the shard key is hashed; here it stays.
   */
  private boolean isLost(CollectionDefinition definition, List<IndexDefinition> lost) {
    return key != null
        && lost.stream().anyMatch(this::isUsed)
        && definition.indexes().stream().noneMatch(index -> !lost.contains(index) && isUsed(index));
  }

  private boolean isUsed(IndexDefinition index) {
    return !index.isHidden() && key.isSupportedBy(index.spec());
  }
}
