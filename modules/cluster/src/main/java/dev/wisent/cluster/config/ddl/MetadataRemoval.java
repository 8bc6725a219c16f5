package dev.wisent.cluster.config.ddl;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.operation.OperationContext;
import java.util.UUID;

/** Removes what the metadata says about a sharded collection. */
final class MetadataRemoval {
  private final ClusterMetadata metadata;

  MetadataRemoval(ClusterMetadata metadata) {
    this.metadata = metadata;
  }

  /** Removes the collection with this UUID, its chunks and its zones' ranges, if it is there. */
  void remove(OperationContext operation, String what, String namespace, UUID uuid) {
    RawDocument ofUuid = CatalogReads.ofUuid(uuid);
    metadata
        .writer()
        .change(
            operation,
            new CatalogWriter.Entry(what, namespace, ofUuid),
            change -> {
              RawDocument seen =
                  change.findOne(CatalogReads.COLLECTIONS, DocumentFields.byId(namespace));
              if (seen != null && seen.get("uuid").asUuid().equals(uuid)) {
                change.delete(CatalogReads.COLLECTIONS, seen);
                change.deleteAll(
                    CatalogReads.TAGS,
                    new BsonBuilder().appendString("ns", namespace).toDocument());
              }
              change.deleteAll(CatalogReads.CHUNKS, ofUuid);
            });
  }
}
