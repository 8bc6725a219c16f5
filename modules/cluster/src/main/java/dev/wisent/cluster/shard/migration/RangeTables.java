package dev.wisent.cluster.shard.migration;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.OwnedRanges;

/** Changes what this shard owns, with other documents of its own. */
public interface RangeTables {
  /** Makes a collection known of which this shard owns what is given. */
  void collection(OperationContext operation, OwnedRanges owned, RawDocument collation);

  /** Runs statements as one transaction, and so as one entry of the log. One at a time. */
  void transactionally(OperationContext operation, Runnable statements);

  /**
   * A statement that changes the ranges of a collection. No write of it may be under way.
   *
   * @param moreOrphans by how many there are more documents that are not owned
   */
  void change(OperationContext operation, OwnedRanges before, OwnedRanges after, long moreOrphans);

  /** Inserts a document, or puts it in the place of the one with its {@code _id}. */
  void replace(OperationContext operation, Namespace collection, RawDocument document);

  /** Deletes a document, if it is there. */
  void delete(OperationContext operation, Namespace collection, RawDocument id);
}
