package dev.wisent.cluster.config.balancer;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkRange;
import java.util.List;

/** Notes which chunks are too large to be moved. */
public interface ChunkMarks {
  /**
   * Has a range that was too large for a migration be chunks of its own: where it can be split, or
   * as one that is marked as jumbo. Nothing happens where its chunk has changed.
   *
   * @param points where it can be split; none for a range of one key
   */
  void tooLarge(
      OperationContext operation, String namespace, ChunkRange range, List<RawDocument> points);
}
