package dev.wisent.cluster.shard.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.shard.migration.MigrationFigures.Figure;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.IndexInfo;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.OwnedRanges;
import java.util.ArrayList;

/** What the donor tells the recipient of the collection. */
record SentDefinition(OwnedRanges owned, Definitions definitions, MigrationFigures figures) {
  /** Fails while an index is built. */
  void append(BsonBuilder body) {
    CollectionInfo collection = definitions.find(owned.namespace());
    ChunkVersion version = owned.version();
    body.appendDocument("key", owned.key().pattern()).appendBoolean("unique", owned.unique());
    body.appendDocument(
        "none", new ChunkVersion(version.epoch(), version.timestamp(), 0, 0).toDocument());
    body.appendDocument("options", collection.options());
    RawDocument collation = DocumentFields.document(collection.options(), "collation");
    if (!collation.isEmpty()) {
      body.appendDocument("defaultCollation", collation);
    }
    var indexes = new ArrayList<RawDocument>();
    for (IndexInfo index : definitions.indexes(owned.namespace())) {
      if (index.build() != null) {
        figures.add(Figure.INDEX_CONFLICTS, 1);
        throw new CommandException(
            ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
            "an index of " + owned.namespace() + " is being built");
      }
      if (!"_id_".equals(DocumentFields.text(index.spec(), "name"))) {
        indexes.add(index.spec());
      }
    }
    body.append("indexes", DocumentFields.arrayOf(indexes));
  }
}
