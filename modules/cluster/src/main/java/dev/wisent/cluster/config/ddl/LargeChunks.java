package dev.wisent.cluster.config.ddl;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueOrder;
import dev.wisent.cluster.config.balancer.ChunkMarks;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.migration.GrantedMigrations;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import java.util.ArrayList;
import java.util.List;

/** Splits chunks that were too large to be moved, or marks them as jumbo. */
public final class LargeChunks implements ChunkMarks {
  private static final RawDocument LAST_FIRST = RawDocument.parse("{min: -1}");

  private final ClusterMetadata metadata;

  public LargeChunks(ClusterMetadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public void tooLarge(
      OperationContext operation, String namespace, ChunkRange range, List<RawDocument> points) {
    var details = new BsonBuilder();
    range.append(details);
    details.append("splitKeys", DocumentFields.arrayOf(points));
    metadata
        .writer()
        .change(
            operation,
            new CatalogWriter.Entry(
                points.isEmpty() ? "markJumbo" : "multi-split", namespace, details.toDocument()),
            change -> tooLarge(change, namespace, range, points));
  }

  private void tooLarge(
      CatalogChange change, String namespace, ChunkRange range, List<RawDocument> points) {
    RawDocument found = change.findOne(CatalogReads.COLLECTIONS, DocumentFields.byId(namespace));
    if (found == null || CollectionDocument.hasOldBounds(found)) {
      return;
    }
    CollectionDocument collection = CollectionDocument.of(found);
    RawDocument seen = chunkAt(change, collection, range.min());
    ChunkDocument chunk = seen == null ? null : ChunkDocument.of(seen);
    if (chunk == null
        || chunk.jumbo()
        || ValueOrder.compare(range.max(), chunk.range().max()) > 0) {
      return;
    }
    GrantedMigrations.requireNone(
        change, collection.uuid(), chunk.range().min(), chunk.range().max());
    List<RawDocument> parts =
        parts(
            chunk,
            bounds(chunk.range(), range, points),
            points.isEmpty() ? range.min() : null,
            ChunkVersions.newestOf(change, collection, chunk.shard()));
    change.replace(CatalogReads.CHUNKS, seen, parts.getFirst());
    change.insert(CatalogReads.CHUNKS, parts.subList(1, parts.size()));
  }

  private static RawDocument chunkAt(
      CatalogChange change, CollectionDocument collection, RawDocument key) {
    var filter = new BsonBuilder().appendUuid("uuid", collection.uuid());
    filter.startDocument("min").appendDocument("$lte", key).end();
    var request = new FindRequest.Builder().filter(filter.toDocument()).sort(LAST_FIRST).limit(1);
    return change.find(CatalogReads.CHUNKS, request).stream().findFirst().orElse(null);
  }

  /** Where the parts of a chunk begin, and where the last one ends; ascending. */
  private static List<RawDocument> bounds(
      ChunkRange chunk, ChunkRange range, List<RawDocument> points) {
    var wanted = new ArrayList<RawDocument>();
    wanted.add(chunk.min());
    wanted.add(range.min());
    wanted.addAll(points);
    wanted.add(range.max());
    wanted.add(chunk.max());
    var bounds = new ArrayList<RawDocument>();
    for (RawDocument each : wanted) {
      if (bounds.isEmpty() || ValueOrder.compare(bounds.getLast(), each) < 0) {
        bounds.add(each);
      }
    }
    return bounds;
  }

  /**
   * @param jumbo where the part begins that is marked; null for none
   * @param newest of the chunks of the shard
   */
  private List<RawDocument> parts(
      ChunkDocument chunk, List<RawDocument> bounds, RawDocument jumbo, ChunkVersion newest) {
    var parts = new ArrayList<RawDocument>();
    ChunkVersion version = newest;
    for (int i = 0; i + 1 < bounds.size(); i++) {
      version = version.nextMinor();
      RawDocument min = bounds.get(i);
      parts.add(
          new ChunkDocument(
                  i == 0 ? chunk.id() : metadata.ids().get(),
                  chunk.uuid(),
                  new ChunkRange(min, bounds.get(i + 1)),
                  chunk.shard(),
                  version.combined(),
                  chunk.onCurrentShardSince(),
                  chunk.history(),
                  jumbo != null && ValueOrder.compare(min, jumbo) == 0)
              .toDocument());
    }
    return parts;
  }
}
