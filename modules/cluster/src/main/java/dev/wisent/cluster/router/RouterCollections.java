package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.router.Places.Place;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.analysis.AnalyzedCollection;
import dev.wisent.server.analysis.AnalyzedCollections;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.RoutingCatalog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The collections of the cluster, for analyses of shard keys. */
final class RouterCollections implements AnalyzedCollections {
  private static final int INDEXES_MAX = 1_000;

  private final RoutingCatalog catalog;
  private final Places places;
  private final ShardCalls calls;

  RouterCollections(RoutingCatalog catalog, Places places, ShardCalls calls) {
    this.catalog = catalog;
    this.places = places;
    this.calls = calls;
  }

  /** Record ids of several shards cannot be compared, and so they are none here. */
  @Override
  public AnalyzedCollection find(OperationContext operation, Namespace namespace) {
    CollectionRouting sharded = catalog.collection(operation, namespace);
    if (sharded != null) {
      Place owner = Places.ofShard(sharded, ownerOf(sharded));
      return new AnalyzedCollection(sharded.uuid(), indexes(operation, namespace, owner), false);
    }
    if (catalog.database(operation, namespace.database()) == null) {
      return null;
    }
    Place primary = places.ofDatabase(operation, namespace.database(), false);
    RawDocument listed = listed(operation, namespace, primary);
    if (listed == null) {
      return null;
    }
    UUID uuid = uuidOf(listed);
    List<RawDocument> indexes = uuid == null ? List.of() : indexes(operation, namespace, primary);
    return new AnalyzedCollection(uuid, indexes, false);
  }

  /** Null for a view. */
  private static UUID uuidOf(RawDocument listed) {
    RawValue info = listed.get("info");
    RawValue uuid = info == null ? null : info.asDocument().get("uuid");
    return uuid == null ? null : uuid.asUuid();
  }

  private RawDocument listed(OperationContext operation, Namespace namespace, Place place) {
    var command = new BsonBuilder().appendInt32("listCollections", 1);
    command.startDocument("filter").appendString("name", namespace.collection()).end();
    List<RawDocument> found = firstBatch(operation, namespace, place, command);
    return found.isEmpty() ? null : found.getFirst();
  }

  private List<RawDocument> indexes(OperationContext operation, Namespace namespace, Place place) {
    var command = new BsonBuilder().appendString("listIndexes", namespace.collection());
    command.startDocument("cursor").appendInt32("batchSize", INDEXES_MAX).end();
    return firstBatch(operation, namespace, place, command);
  }

  private List<RawDocument> firstBatch(
      OperationContext operation, Namespace namespace, Place place, BsonBuilder command) {
    command.appendAll(place.versions());
    RawDocument reply =
        calls.call(
            operation,
            ShardRequest.control(place.shard(), namespace.database(), command.toDocument()));
    var documents = new ArrayList<RawDocument>();
    for (ElementCursor each = reply.get("cursor").asDocument().get("firstBatch").elements();
        each.next(); ) {
      documents.add(each.value().asDocument().detached());
    }
    return documents;
  }

  /** The shard with the most chunks. */
  private static String ownerOf(CollectionRouting collection) {
    Map<String, Integer> chunks = new HashMap<>();
    collection.table().forEach(chunk -> chunks.merge(chunk.shard(), 1, Integer::sum));
    return chunks.entrySet().stream()
        .max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry::getKey))
        .orElseThrow()
        .getKey();
  }

  @Override
  public RawDocument askOwner(
      OperationContext operation, Namespace namespace, RawDocument command) {
    CollectionRouting sharded = catalog.collection(operation, namespace);
    String shard =
        sharded == null
            ? places.ofDatabase(operation, namespace.database(), false).shard()
            : ownerOf(sharded);
    try {
      return calls.call(operation, ShardRequest.control(shard, "admin", command));
    } catch (CommandException e) {
      if (e.code() == ErrorCode.ILLEGAL_OPERATION || e.code() == ErrorCode.NAMESPACE_NOT_FOUND) {
        // It has chunks and no documents, or no index that is not of arrays.
        return RawDocument.EMPTY;
      }
      throw e;
    }
  }
}
