package dev.wisent.tools.migrate;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.WriteConcern;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** Writes documents of a collection into its copy, so that repeating it changes nothing. */
final class CopyWriter {
  private static final int DUPLICATE_KEY = 11_000;

  private final MongoCollection<RawBsonDocument> copy;
  private final Fence fence;
  private final boolean ordered;

  /**
   * @param ordered whether the order of the documents is a part of the collection
   */
  CopyWriter(Deployment target, Fence fence, CollectionInfo copy, boolean ordered) {
    this.fence = fence;
    this.copy =
        target
            .database(copy.database())
            .getCollection(copy.name(), RawBsonDocument.class)
            .withWriteConcern(WriteConcern.MAJORITY);
    this.ordered = ordered;
  }

  /** Inserts, and replaces what is there already: an earlier run may have inserted it. */
  void insert(List<RawBsonDocument> documents) throws ToolException {
    var options = new InsertManyOptions().ordered(ordered).bypassDocumentValidation(true);
    List<RawBsonDocument> rest = documents;
    while (!rest.isEmpty()) {
      fence.check();
      try {
        copy.insertMany(rest, options);
        return;
      } catch (MongoBulkWriteException e) {
        rest = afterErrors(rest, e);
      }
    }
  }

  private List<RawBsonDocument> afterErrors(
      List<RawBsonDocument> documents, MongoBulkWriteException e) throws ToolException {
    List<RawBsonDocument> there = new ArrayList<>();
    for (BulkWriteError error : e.getWriteErrors()) {
      if (error.getCode() != DUPLICATE_KEY) {
        throw refused(error, e);
      }
      there.add(documents.get(error.getIndex()));
    }
    if (e.getWriteErrors().isEmpty()) {
      throw e; // of the write concern
    }
    replace(there);
    return ordered
        ? documents.subList(e.getWriteErrors().getLast().getIndex() + 1, documents.size())
        : List.of();
  }

  /** Writes documents whether they are there or not. */
  void replace(List<RawBsonDocument> documents) throws ToolException {
    if (documents.isEmpty()) {
      return;
    }
    List<ReplaceOneModel<RawBsonDocument>> writes = new ArrayList<>();
    for (RawBsonDocument document : documents) {
      writes.add(
          new ReplaceOneModel<>(
              Filters.eq("_id", document.get("_id")), document, new ReplaceOptions().upsert(true)));
    }
    fence.check();
    try {
      copy.bulkWrite(
          writes, new BulkWriteOptions().ordered(ordered).bypassDocumentValidation(true));
    } catch (MongoBulkWriteException e) {
      if (e.getWriteErrors().isEmpty()) {
        throw e;
      }
      throw refused(e.getWriteErrors().getFirst(), e);
    }
  }

  void delete(List<BsonValue> ids) throws ToolException {
    if (!ids.isEmpty()) {
      fence.check();
      copy.deleteMany(new BsonDocument("_id", new BsonDocument("$in", new BsonArray(ids))));
    }
  }

  private ToolException refused(BulkWriteError error, Exception cause) {
    return ToolException.failed(
        "the target refuses a document of %s: %s"
            .formatted(copy.getNamespace(), error.getMessage()),
        cause);
  }
}
