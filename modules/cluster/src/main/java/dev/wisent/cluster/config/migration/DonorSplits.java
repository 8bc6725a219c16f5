package dev.wisent.cluster.config.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.CollectionDocument;
import java.util.List;

/** Has the owner of a range find the keys that divide it into parts of one size. */
public final class DonorSplits {
  private final ClusterMetadata metadata;

  public DonorSplits(ClusterMetadata metadata) {
    this.metadata = metadata;
  }

  /**
   * The keys between the parts, ascending; none where the shard has fewer bytes of the collection
   * than two parts, or no documents of the range.
   *
   * @param bytes the size of a part
   * @param pointsMax how many keys are wanted; 0 for all
   */
  public List<RawDocument> points(
      OperationContext operation,
      CollectionDocument collection,
      String shard,
      ChunkRange range,
      long bytes,
      int pointsMax) {
    var command = new BsonBuilder().appendString("splitVector", collection.namespace().full());
    command.appendDocument("keyPattern", collection.key());
    range.append(command);
    // Its parts have half of the size.
    command.appendInt64("maxChunkSizeBytes", 2 * Math.max(1, bytes));
    command.appendInt32("maxSplitPoints", pointsMax);
    // Only their size counts.
    command.appendInt64("maxChunkObjects", Long.MAX_VALUE);
    try {
      RawDocument reply =
          metadata
              .shards()
              .run(operation, shard, collection.namespace().database(), command.toDocument());
      return DocumentFields.documents(reply, "splitKeys").stream()
          .map(RawDocument::detached)
          .toList();
    } catch (CommandException e) {
      if (e.code() == ErrorCode.OPERATION_FAILED || e.code() == ErrorCode.NAMESPACE_NOT_FOUND) {
        return List.of(); // The range is empty.
      }
      throw e;
    }
  }
}
