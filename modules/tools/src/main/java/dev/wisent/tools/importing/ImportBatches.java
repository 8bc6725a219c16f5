package dev.wisent.tools.importing;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.connection.WriteConcerns;
import dev.wisent.tools.importing.ImportSettings.Mode;
import dev.wisent.tools.text.RowText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Writes batches of documents in the way of the mode. Thread-safe. */
final class ImportBatches {
  private static final int MESSAGES_MAX = 10;

  private final MongoCollection<BsonDocument> collection;
  private final ImportSettings settings;
  private final Consumer<String> messages;
  private final LongAdder done = new LongAdder();
  private final LongAdder failed = new LongAdder();

  ImportBatches(
      MongoCollection<BsonDocument> collection,
      ImportSettings settings,
      Consumer<String> messages) {
    this.collection = collection;
    this.settings = settings;
    this.messages = messages;
  }

  long done() {
    return done.sum();
  }

  long failed() {
    return failed.sum();
  }

  void write(List<BsonDocument> documents) throws ToolException {
    List<WriteModel<BsonDocument>> models = new ArrayList<>();
    for (BsonDocument document : documents) {
      WriteModel<BsonDocument> model = model(document);
      if (model != null) {
        models.add(model);
      }
    }
    var options =
        new BulkWriteOptions()
            .ordered(settings.ordered() || settings.stopOnError())
            .bypassDocumentValidation(settings.bypassValidation() ? Boolean.TRUE : null);
    List<WriteModel<BsonDocument>> rest = models;
    while (!rest.isEmpty()) {
      try {
        count(collection.bulkWrite(rest, options));
        return;
      } catch (MongoBulkWriteException e) {
        rest = afterErrors(rest, e, options.isOrdered());
      } catch (MongoException e) {
        throw Deployment.failure("cannot write to " + collection.getNamespace(), e);
      }
    }
  }

  private void count(BulkWriteResult result) {
    done.add(
        settings.mode() == Mode.DELETE
            ? result.getDeletedCount()
            : result.getInsertedCount() + result.getMatchedCount() + result.getUpserts().size());
  }

  private List<WriteModel<BsonDocument>> afterErrors(
      List<WriteModel<BsonDocument>> models, MongoBulkWriteException e, boolean ordered)
      throws ToolException {
    count(e.getWriteResult());
    if (e.getWriteErrors().isEmpty()) {
      throw Deployment.failure("cannot write to " + collection.getNamespace(), e);
    }
    for (BulkWriteError error : e.getWriteErrors()) {
      fail(error.getMessage());
      if (settings.stopOnError()) {
        throw ToolException.failed(collection.getNamespace() + ": " + error.getMessage());
      }
    }
    MongoException concern = WriteConcerns.failure(e).orElse(null);
    if (concern != null) {
      throw Deployment.failure("cannot write to " + collection.getNamespace(), concern);
    }
    return ordered
        ? models.subList(e.getWriteErrors().getLast().getIndex() + 1, models.size())
        : List.of();
  }

  private void fail(String why) {
    failed.increment();
    if (failed.sum() <= MESSAGES_MAX) {
      messages.accept(why);
    } else if (failed.sum() == MESSAGES_MAX + 1) {
      messages.accept("further failures are only counted");
    }
  }

  /** Null for one that says nothing about what is to be deleted. */
  private WriteModel<BsonDocument> model(BsonDocument document) {
    if (settings.mode() == Mode.INSERT) {
      return new InsertOneModel<>(document);
    }
    var filter = new BsonDocument();
    for (String field : settings.matched()) {
      BsonValue value = RowText.at(document, field);
      if (value == null) {
        if (settings.mode() == Mode.DELETE) {
          fail("a document has no " + field + ", by which it would be deleted");
          return null;
        }
        return new InsertOneModel<>(document);
      }
      filter.append(field, new BsonDocument("$eq", value));
    }
    return switch (settings.mode()) {
      case INSERT, UPSERT ->
          new ReplaceOneModel<>(filter, document, new ReplaceOptions().upsert(true));
      case MERGE ->
          new UpdateOneModel<>(
              filter, new BsonDocument("$set", document), new UpdateOptions().upsert(true));
      case DELETE -> new DeleteOneModel<>(filter);
    };
  }
}
