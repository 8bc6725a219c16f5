package dev.wisent.cluster.config.ddl;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.PhaseContext;
import java.util.UUID;

/**
 * Removes what the metadata says about a sharded collection: first that it is there, and its zones'
 * ranges, and when nothing waits any longer its chunks. There may be too many chunks for one
 * transaction.
 */
final class MetadataRemoval {
  /** The phase that removes chunks. */
  static final String CHUNKS_PHASE = "removeChunks";

  private final ClusterMetadata metadata;
  private final UnusedChunks chunks;

  MetadataRemoval(ClusterMetadata metadata) {
    this.metadata = metadata;
    this.chunks = new UnusedChunks(metadata.store());
  }

  /** Removes the collection with this UUID, if it is there, and the ranges of its zones. */
  void remove(PhaseContext context, String what, String namespace, UUID uuid) {
    RawDocument there =
        metadata.store().findById(context.operation(), CatalogReads.COLLECTIONS, namespace);
    if (there != null && !there.get("uuid").asUuid().equals(uuid)) {
      return;
    }
    if (there != null) {
      metadata
          .writer()
          .change(
              context.operation(),
              new CatalogWriter.Entry(what, namespace, CatalogReads.ofUuid(uuid)),
              change -> {
                RawDocument seen =
                    change.findOne(CatalogReads.COLLECTIONS, DocumentFields.byId(namespace));
                if (seen != null && seen.get("uuid").asUuid().equals(uuid)) {
                  change.delete(CatalogReads.COLLECTIONS, seen);
                }
              });
    }
    metadata
        .store()
        .removeAll(
            context.operation(),
            CatalogReads.TAGS,
            new BsonBuilder().appendString("ns", namespace).toDocument());
  }

  /** Deletes the chunks of a collection that was removed. */
  void removeChunks(PhaseContext context, UUID uuid) {
    chunks.delete(context, uuid);
  }
}
