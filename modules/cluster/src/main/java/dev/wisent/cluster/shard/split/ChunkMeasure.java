package dev.wisent.cluster.shard.split;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import java.util.ArrayList;
import java.util.List;

/**
 * How large a chunk is: its keys are counted, and the sizes of some of its documents, spread evenly
 * over the keys, tell the size of one.
 *
 * @param averageBytes of a document; 0 for a chunk without documents
 */
record ChunkMeasure(long documents, long averageBytes) {
  private static final int SAMPLES_MAX = 64;

  static ChunkMeasure of(OperationContext operation, RangeKeys keys) {
    var sampled = new SampledKeys();
    keys.forEach(operation, sampled::add);
    long bytes = 0;
    for (RawDocument key : sampled.keys) {
      bytes += keys.documentBytes(operation, key);
    }
    long average = sampled.keys.isEmpty() ? 0 : Math.max(1, bytes / sampled.keys.size());
    return new ChunkMeasure(sampled.count, average);
  }

  long bytes() {
    return documents * averageBytes;
  }

  /** How many documents of this chunk fit into one of a given size. */
  long documentsIn(long chunkBytes) {
    return Math.max(1, chunkBytes / Math.max(1, averageBytes));
  }

  /** Every so many keys one, and fewer the more there are. */
  private static final class SampledKeys {
    private final List<RawDocument> keys = new ArrayList<>();
    private long count;
    private long step = 1;

    boolean add(RawDocument key) {
      if (count++ % step == 0) {
        if (keys.size() == SAMPLES_MAX) {
          for (int i = SAMPLES_MAX - 1; i > 0; i -= 2) {
            keys.remove(i);
          }
          step *= 2;
          if ((count - 1) % step != 0) {
            return true;
          }
        }
        keys.add(key.detached());
      }
      return true;
    }
  }
}
