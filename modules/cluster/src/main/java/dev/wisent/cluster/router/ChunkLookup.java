package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;

/** Finds the chunk that a command is about in what the config servers have now. */
final class ChunkLookup {
  private final CollectionRouting collection;

  /** Fails where the collection is not sharded. */
  ChunkLookup(RoutingCatalog catalog, OperationContext operation, Namespace namespace) {
    catalog.staleCollection(namespace, null);
    this.collection = catalog.collection(operation, namespace);
    if (collection == null || collection.unsplittable()) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_SHARDED, "ns [" + namespace.full() + "] is not sharded.");
    }
  }

  CollectionRouting collection() {
    return collection;
  }

  /** The chunk of the documents that a filter matches, which has the shard key. */
  Chunk of(RawDocument filter) {
    byte[] wanted = collection.key().encodedKeyOfEquality(filter, null);
    if (wanted == null) {
      throw new CommandException(
          ErrorCode.SHARD_KEY_NOT_FOUND,
          "no shard key found in chunk query " + ValueText.of(filter));
    }
    return collection.table().chunkOf(wanted);
  }

  /** The chunk with exactly these bounds. */
  Chunk of(List<RawDocument> bounds) {
    if (bounds.size() < 2) {
      throw invalid((bounds.isEmpty() ? "lower" : "upper") + " bound not specified");
    }
    ShardKeyPattern key = collection.key();
    RawDocument min = key.normalized(bounds.get(0));
    RawDocument max = key.normalized(bounds.get(1));
    if (min == null || max == null) {
      throw invalid(
          "shard key bounds [%s,%s) are not valid for shard key pattern %s"
              .formatted(
                  ValueText.of(bounds.get(0)),
                  ValueText.of(bounds.get(1)),
                  ValueText.of(key.pattern())));
    }
    Chunk chunk = collection.table().chunkWithBounds(min, max);
    if (chunk == null) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "no chunk found with the shard key bounds " + new ChunkRange(min, max));
    }
    return chunk;
  }

  static CommandException invalid(String message) {
    return new CommandException(ErrorCode.INVALID_OPTIONS, message);
  }
}
