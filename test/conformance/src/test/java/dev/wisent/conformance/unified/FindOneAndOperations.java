package dev.wisent.conformance.unified;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndDeleteOptions;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;

/** The three forms of findAndModify. */
final class FindOneAndOperations {

  private FindOneAndOperations() {}

  static void addTo(OperationTable<MongoCollection<BsonDocument>> table) {
    table.add("findOneAndDelete", FindOneAndOperations::delete);
    table.add("findOneAndReplace", FindOneAndOperations::replace);
    table.add("findOneAndUpdate", FindOneAndOperations::update);
  }

  private static OperationResult delete(MongoCollection<BsonDocument> collection, Call call) {
    Arguments arguments = call.arguments();
    BsonDocument filter = arguments.document("filter");
    FindOneAndDeleteOptions options = new FindOneAndDeleteOptions();
    arguments.ifDocument("projection", options::projection);
    arguments.ifDocument("sort", options::sort);
    arguments.ifCollation(options::collation);
    arguments.ifValue("comment", options::comment);
    arguments.ifHint(options::hint, options::hintString);
    arguments.ifDocument("let", options::let);
    arguments.ifLong("maxTimeMS", millis -> options.maxTime(millis, TimeUnit.MILLISECONDS));
    Optional<ClientSession> session = call.session();
    return OperationResult.ofNullable(
        session.isPresent()
            ? collection.findOneAndDelete(session.get(), filter, options)
            : collection.findOneAndDelete(filter, options));
  }

  private static OperationResult replace(MongoCollection<BsonDocument> collection, Call call) {
    Arguments arguments = call.arguments();
    BsonDocument filter = arguments.document("filter");
    BsonDocument replacement = arguments.document("replacement");
    FindOneAndReplaceOptions options = new FindOneAndReplaceOptions();
    arguments.ifDocument("projection", options::projection);
    arguments.ifDocument("sort", options::sort);
    arguments.ifBoolean("upsert", options::upsert);
    arguments.ifString("returnDocument", which -> options.returnDocument(returned(which)));
    arguments.ifBoolean("bypassDocumentValidation", options::bypassDocumentValidation);
    arguments.ifCollation(options::collation);
    arguments.ifValue("comment", options::comment);
    arguments.ifHint(options::hint, options::hintString);
    arguments.ifDocument("let", options::let);
    arguments.ifLong("maxTimeMS", millis -> options.maxTime(millis, TimeUnit.MILLISECONDS));
    Optional<ClientSession> session = call.session();
    return OperationResult.ofNullable(
        session.isPresent()
            ? collection.findOneAndReplace(session.get(), filter, replacement, options)
            : collection.findOneAndReplace(filter, replacement, options));
  }

  private static OperationResult update(MongoCollection<BsonDocument> collection, Call call) {
    Arguments arguments = call.arguments();
    BsonDocument filter = arguments.document("filter");
    FindOneAndUpdateOptions options = updateOptions(arguments);
    Optional<ClientSession> session = call.session();
    if (arguments.isArray("update")) {
      List<BsonDocument> pipeline = arguments.documents("update");
      return OperationResult.ofNullable(
          session.isPresent()
              ? collection.findOneAndUpdate(session.get(), filter, pipeline, options)
              : collection.findOneAndUpdate(filter, pipeline, options));
    }
    BsonDocument update = arguments.document("update");
    return OperationResult.ofNullable(
        session.isPresent()
            ? collection.findOneAndUpdate(session.get(), filter, update, options)
            : collection.findOneAndUpdate(filter, update, options));
  }

  private static FindOneAndUpdateOptions updateOptions(Arguments arguments) {
    FindOneAndUpdateOptions options = new FindOneAndUpdateOptions();
    arguments.ifDocument("projection", options::projection);
    arguments.ifDocument("sort", options::sort);
    arguments.ifBoolean("upsert", options::upsert);
    arguments.ifString("returnDocument", which -> options.returnDocument(returned(which)));
    arguments.ifBoolean("bypassDocumentValidation", options::bypassDocumentValidation);
    arguments.ifDocuments("arrayFilters", options::arrayFilters);
    arguments.ifCollation(options::collation);
    arguments.ifValue("comment", options::comment);
    arguments.ifHint(options::hint, options::hintString);
    arguments.ifDocument("let", options::let);
    arguments.ifLong("maxTimeMS", millis -> options.maxTime(millis, TimeUnit.MILLISECONDS));
    return options;
  }

  private static ReturnDocument returned(String which) {
    return switch (which) {
      case "Before" -> ReturnDocument.BEFORE;
      case "After" -> ReturnDocument.AFTER;
      default -> throw new IllegalArgumentException("returnDocument " + which);
    };
  }
}
