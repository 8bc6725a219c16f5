package dev.wisent.cluster.router.read;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.match.MatchExpression;
import java.util.List;
import org.bson.types.ObjectId;

/** Tells which shards reads concern, as far as is known here. */
interface ReadTargets {
  /** What reads of a collection use that name no collation; null for the simple one. */
  Collation collation(Namespace namespace);

  boolean isSharded(Namespace namespace);

  /**
   * By which the config servers know an unsharded collection that is not on the primary shard of
   * its database; null for others.
   */
  default ObjectId movedEpoch(Namespace namespace) {
    return null;
  }

  /**
   * The shards whose documents a filter can match, in the order of their names; none where there is
   * no such database. Of a collection that is not sharded it is the one that has it.
   *
   * @param filter null for all documents
   * @param collation of the filter; null for the simple one
   */
  List<ReadTarget> of(
      OperationContext operation, Namespace namespace, MatchExpression filter, Collation collation);

  /** The shard that a document of a collection is written to. */
  ReadTarget ofDocument(Namespace namespace, RawDocument document);

  /** The host of a shard, as its connection string has it. */
  String connectionString(String shard);
}
