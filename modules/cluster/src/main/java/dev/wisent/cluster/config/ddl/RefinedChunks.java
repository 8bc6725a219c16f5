package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.operation.FindRequest;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;
import java.util.UUID;

/**
 * Chunks of a collection whose key was refined. Their bounds lack the new fields until they are
 * completed, and mean the same before and after that. Meanwhile no chunk is split or merged: that
 * would compare bounds of both kinds. Migrations wait for the lock of the coordinator.
 */
final class RefinedChunks {
  private static final RawDocument OLDEST_FIRST = RawDocument.parse("{lastmod: 1}");

  /** So many chunks in one transaction: other changes of metadata wait for it. */
  private static final int TRANSACTION_CHUNKS_MAX = 500;

  private final ClusterMetadata metadata;

  RefinedChunks(ClusterMetadata metadata) {
    this.metadata = metadata;
  }

  /** Fails while there may be chunks of a collection with bounds of its old key. */
  static void requireComplete(RawDocument collection) {
    if (CollectionDocument.hasOldBounds(collection)) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "The shard key of %s is being refined".formatted(collection.get("_id").asString()));
    }
  }

  /** The same as a change sees it. */
  static void requireComplete(CatalogChange change, String namespace) {
    RawDocument found = change.findOne(CatalogReads.COLLECTIONS, DocumentFields.byId(namespace));
    if (found != null) {
      requireComplete(found);
    }
  }

  /** Completes the bounds of all chunks in pages, and says in the collection that they are. */
  void complete(PhaseContext context) {
    RawDocument collection =
        metadata
            .store()
            .findById(context.operation(), CatalogReads.COLLECTIONS, context.resource());
    if (collection == null || !CollectionDocument.hasOldBounds(collection)) {
      return;
    }
    ShardKeyPattern key = ShardKeyPattern.of(DocumentFields.document(collection, "key"));
    UUID uuid = collection.get("uuid").asUuid();
    List<RawDocument> page = page(context, uuid, 0);
    while (!page.isEmpty()) {
      complete(context, page, key);
      context.pages().end().run();
      page = page(context, uuid, page.getLast().get("lastmod").asInt64());
    }
    metadata
        .writer()
        .change(
            context.operation(),
            new CatalogWriter.Entry(
                "refineCollectionShardKey.chunks", context.resource(), RawDocument.EMPTY),
            change -> {
              // A setting of the balancer may have changed.
              RawDocument seen =
                  change.findOne(CatalogReads.COLLECTIONS, DocumentFields.byId(context.resource()));
              change.replace(
                  CatalogReads.COLLECTIONS,
                  seen,
                  DocumentFields.without(seen, CollectionDocument.OLD_BOUNDS));
            });
  }

  private List<RawDocument> page(PhaseContext context, UUID uuid, long after) {
    var filter = new BsonBuilder().appendUuid("uuid", uuid);
    filter.startDocument("lastmod").appendTimestamp("$gt", after).end();
    return metadata
        .store()
        .page(
            context.operation(),
            CatalogReads.CHUNKS,
            new FindRequest.Builder()
                .filter(filter.toDocument())
                .sort(OLDEST_FIRST)
                .limit(Math.min(TRANSACTION_CHUNKS_MAX, context.pages().documents())),
            Limits.METADATA_PAGE_BYTES);
  }

  private void complete(PhaseContext context, List<RawDocument> page, ShardKeyPattern key) {
    metadata
        .writer()
        .change(
            context.operation(),
            List.of(),
            change -> {
              for (RawDocument each : page) {
                RawDocument after = completed(each, key);
                if (!after.equals(each)) {
                  change.replace(CatalogReads.CHUNKS, each, after);
                }
              }
            });
  }

  /** A document with a range, whose bounds are completed. */
  static RawDocument completed(RawDocument document, ShardKeyPattern key) {
    RawDocument after = document;
    for (String bound : List.of("min", "max")) {
      RawDocument full = key.completed(DocumentFields.document(document, bound));
      after = DocumentFields.with(after, bound, RawValue.ofDocument(full));
    }
    return after;
  }
}
