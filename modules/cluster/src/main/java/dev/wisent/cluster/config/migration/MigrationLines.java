package dev.wisent.cluster.config.migration;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.DocumentFields;
import java.util.List;

/** What the changelog tells of a migration that has come to its end, with MongoDB's names. */
final class MigrationLines {
  private MigrationLines() {}

  static List<CatalogWriter.Entry> ofCommit(MoveRange move, RawDocument data) {
    long documents = DocumentFields.number(data, "clonedDocs");
    long bytes = DocumentFields.number(data, "clonedBytes");
    BsonBuilder commit = move.details();
    commit.startDocument("counts").appendInt64("cloned", documents);
    commit.appendInt64("clonedBytes", bytes).end();
    return List.of(
        new CatalogWriter.Entry("moveChunk.commit", move.namespace(), commit.toDocument()),
        new CatalogWriter.Entry("moveChunk.from", move.namespace(), steps(move, data)),
        new CatalogWriter.Entry("moveChunk.to", move.namespace(), steps(move, data)));
  }

  private static RawDocument steps(MoveRange move, RawDocument data) {
    BsonBuilder out = move.details();
    out.appendInt64("step 1 of 2", DocumentFields.number(data, "cloneMillis"));
    out.appendInt64("step 2 of 2", DocumentFields.number(data, "criticalSectionMillis"));
    return out.appendString("note", "success").toDocument();
  }
}
