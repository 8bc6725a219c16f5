package dev.wisent.cluster.shard.migration;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.wire.client.HostSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What the config servers say that this shard owns. */
final class ConfigOwnership {
  private static final int PAGE = 10_000;

  private final Supplier<ShardCalls> calls;

  ConfigOwnership(Supplier<ShardCalls> calls) {
    this.calls = calls;
  }

  /**
   * The ranges of this shard in a collection.
   *
   * @param version of its newest chunk; that of the collection's newest chunk where it has none
   */
  record Owned(ChunkVersion version, List<ChunkRange> ranges) {}

  /** Null where the collection is not sharded, or not there any more. */
  Owned of(OperationContext operation, Namespace namespace, String shard) {
    List<RawDocument> found =
        find(operation, "collections", out -> out.appendString("_id", namespace.full()), "_id", 1);
    if (found.isEmpty()) {
      return null;
    }
    CollectionDocument collection = CollectionDocument.of(found.getFirst());
    var ranges = new ArrayList<ChunkRange>();
    long newest = 0;
    RawDocument[] after = {null};
    List<RawDocument> page;
    do {
      page =
          find(
              operation,
              "chunks",
              out -> {
                out.appendUuid("uuid", collection.uuid()).appendString("shard", shard);
                if (after[0] != null) {
                  out.startDocument("min").appendDocument("$gt", after[0]).end();
                }
              },
              "min",
              PAGE);
      for (RawDocument each : page) {
        ChunkDocument chunk = ChunkDocument.of(each);
        newest = Math.max(newest, chunk.lastmod());
        after[0] = chunk.range().min();
        ChunkRange last = ranges.isEmpty() ? null : ranges.getLast();
        if (last != null && last.max().equals(chunk.range().min())) {
          ranges.set(ranges.size() - 1, new ChunkRange(last.min(), chunk.range().max()));
        } else {
          ranges.add(chunk.range());
        }
      }
      // A page of long keys has fewer: a reply ends before it is too large for a message.
    } while (!page.isEmpty());
    if (ranges.isEmpty()) {
      newest = newestOfAll(operation, collection);
    }
    return new Owned(ChunkVersion.of(collection.epoch(), collection.timestamp(), newest), ranges);
  }

  /** The migrations of a collection that have not ended. */
  Set<UUID> migrations(OperationContext operation, Namespace namespace) {
    return find(
            operation, "migrations", out -> out.appendString("ns", namespace.full()), "_id", PAGE)
        .stream()
        .map(each -> each.get("_id").asUuid())
        .collect(Collectors.toSet());
  }

  private long newestOfAll(OperationContext operation, CollectionDocument collection) {
    List<RawDocument> newest =
        find(operation, "chunks", out -> out.appendUuid("uuid", collection.uuid()), "-lastmod", 1);
    return newest.isEmpty() ? 0 : newest.getFirst().get("lastmod").asInt64();
  }

  /**
   * @param order a field, with a minus sign for the greatest first
   */
  private List<RawDocument> find(
      OperationContext operation,
      String collection,
      Consumer<BsonBuilder> filter,
      String order,
      int limit) {
    var command = new BsonBuilder(256).appendString("find", collection);
    filter.accept(command.startDocument("filter"));
    command.end();
    boolean down = order.startsWith("-");
    command.startDocument("sort").appendInt32(down ? order.substring(1) : order, down ? -1 : 1);
    command.end().appendInt32("limit", limit).appendInt32("batchSize", limit);
    command.appendBoolean("singleBatch", true);
    command.startDocument("readConcern").appendString("level", "majority").end();
    ShardRequest request =
        ShardRequest.read(ShardCalls.CONFIG, "config", command.toDocument())
            .from(HostSelector.primary());
    RawDocument reply = calls.get().call(operation, request).detached();
    return DocumentFields.documents(DocumentFields.document(reply, "cursor"), "firstBatch");
  }
}
