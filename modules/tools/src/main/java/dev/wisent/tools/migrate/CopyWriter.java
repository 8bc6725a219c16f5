package dev.wisent.tools.migrate;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.WriteModel;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Attempts;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.connection.ExactInsert;
import dev.wisent.tools.connection.WriteConcerns;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** Writes documents of a collection into its copy, so that repeating it changes nothing. */
final class CopyWriter {
  private static final int DUPLICATE_KEY = 11_000;

  private final MongoCollection<RawBsonDocument> copy;
  private final Fence fence;
  private final ExactInsert inserts;
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
    this.inserts = new ExactInsert(target, this.copy);
    this.ordered = ordered;
  }

  /** Inserts, and replaces what is there already: an earlier run may have inserted it. */
  void insert(List<RawBsonDocument> documents) throws ToolException {
    var options = new InsertManyOptions().ordered(ordered).bypassDocumentValidation(true);
    for (List<RawBsonDocument> part : ExactInsert.parts(documents)) {
      List<RawBsonDocument> rest = part;
      while (!rest.isEmpty()) {
        fence.check();
        try {
          inserts.insertMany(rest, options);
          rest = List.of();
        } catch (MongoBulkWriteException e) {
          rest = afterErrors(rest, e);
        }
      }
    }
  }

  /**
   * Inserts documents of which others may be there, with the same ids on other shards: those are
   * not found by their ids' being duplicate.
   */
  void insertAnew(List<RawBsonDocument> documents) throws ToolException {
    delete(documents.stream().map(each -> each.get("_id")).toList());
    insert(documents);
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
    replace(there);
    checkConcern(e);
    return ordered
        ? documents.subList(e.getWriteErrors().getLast().getIndex() + 1, documents.size())
        : List.of();
  }

  /** Writes documents whether they are there or not. */
  void replace(List<RawBsonDocument> documents) throws ToolException {
    if (documents.isEmpty()) {
      return;
    }
    List<WriteModel<RawBsonDocument>> replacements = new ArrayList<>();
    List<RawBsonDocument> inserted = new ArrayList<>();
    for (RawBsonDocument document : documents) {
      if (hasFieldLikeOperator(document) || ExactInsert.isNeeded(document)) {
        inserted.add(document);
      } else {
        replacements.add(
            new ReplaceOneModel<>(
                Filters.eq("_id", document.get("_id")),
                document,
                new ReplaceOptions().upsert(true)));
      }
    }
    write(replacements);
    if (!inserted.isEmpty()) {
      delete(inserted.stream().map(each -> each.get("_id")).toList());
      insert(inserted);
    }
  }

  /** Servers, and the driver, take such a document for an insert, and refuse it to replace one. */
  private static boolean hasFieldLikeOperator(RawBsonDocument document) {
    try (BsonReader reader = document.asBsonReader()) {
      reader.readStartDocument();
      while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
        if (reader.readName().startsWith("$")) {
          return true;
        }
        reader.skipValue();
      }
      return false;
    }
  }

  private void write(List<WriteModel<RawBsonDocument>> writes) throws ToolException {
    if (writes.isEmpty()) {
      return;
    }
    fence.check();
    try {
      copy.bulkWrite(
          writes, new BulkWriteOptions().ordered(ordered).bypassDocumentValidation(true));
    } catch (MongoBulkWriteException e) {
      if (e.getWriteErrors().isEmpty()) {
        throw e; // of the write concern
      }
      throw refused(e.getWriteErrors().getFirst(), e);
    }
  }

  private static void checkConcern(MongoBulkWriteException e) {
    WriteConcerns.failure(e)
        .ifPresent(
            failure -> {
              throw failure;
            });
  }

  void delete(List<BsonValue> ids) throws ToolException {
    if (!ids.isEmpty()) {
      fence.check();
      copy.deleteMany(new BsonDocument("_id", new BsonDocument("$in", new BsonArray(ids))));
    }
  }

  /** Passes on what another attempt may help against. */
  private ToolException refused(BulkWriteError error, Exception cause) {
    if (Attempts.isTransient(error.getCode())) {
      throw new MongoException(error.getCode(), error.getMessage(), cause);
    }
    return ToolException.failed(
        "the target refuses a document of %s: %s"
            .formatted(copy.getNamespace(), error.getMessage()),
        cause);
  }
}
