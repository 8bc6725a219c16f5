package dev.wisent.cluster.shard.migration;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.OwnedRanges;
import java.util.UUID;

/** Changes what this shard owns, with other documents of its own. */
public interface RangeTables {
  /** Makes a collection known of which this shard owns what is given. */
  void collection(OperationContext operation, OwnedRanges owned, RawDocument collation);

  /** Runs statements as one transaction, and so as one entry of the log. One at a time. */
  void transactionally(OperationContext operation, Runnable statements);

  /**
   * A range that has come.
   *
   * @param decidedAt the cluster time at which the donor has given it away
   */
  record Arrival(UUID migration, long decidedAt) {}

  /**
   * A statement that changes the ranges of a collection. No write of it may be under way.
   *
   * @param moreOrphans by how many there are more documents that are not owned
   */
  default void change(
      OperationContext operation, OwnedRanges before, OwnedRanges after, long moreOrphans) {
    change(operation, before, after, moreOrphans, null);
  }

  /**
   * The same, with a note for reads of states of the past.
   *
   * @param arrival null for none
   */
  void change(
      OperationContext operation,
      OwnedRanges before,
      OwnedRanges after,
      long moreOrphans,
      Arrival arrival);

  /** Inserts a document, or puts it in the place of the one with its {@code _id}. */
  void replace(OperationContext operation, Namespace collection, RawDocument document);

  /** Deletes a document, if it is there. */
  void delete(OperationContext operation, Namespace collection, RawDocument id);
}
