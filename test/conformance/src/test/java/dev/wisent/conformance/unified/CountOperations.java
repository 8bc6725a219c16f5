package dev.wisent.conformance.unified;

import com.mongodb.ReadPreference;
import com.mongodb.client.DistinctIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.EstimatedDocumentCountOptions;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The counts and {@code distinct}. */
final class CountOperations {

  private CountOperations() {}

  static void addTo(OperationTable<MongoCollection<BsonDocument>> table) {
    table.add("countDocuments", CountOperations::countDocuments);
    table.add("estimatedDocumentCount", CountOperations::estimatedDocumentCount);
    table.add("count", CountOperations::count);
    table.add("distinct", CountOperations::distinct);
  }

  private static OperationResult countDocuments(
      MongoCollection<BsonDocument> collection, Call call) {
    Arguments arguments = call.arguments();
    BsonDocument filter = arguments.document("filter");
    CountOptions options = new CountOptions();
    arguments.ifInt("skip", options::skip);
    arguments.ifInt("limit", options::limit);
    arguments.ifCollation(options::collation);
    arguments.ifValue("comment", options::comment);
    arguments.ifHint(options::hint, options::hintString);
    arguments.ifLong("maxTimeMS", millis -> options.maxTime(millis, TimeUnit.MILLISECONDS));
    return number(
        call.session()
            .map(session -> collection.countDocuments(session, filter, options))
            .orElseGet(() -> collection.countDocuments(filter, options)));
  }

  private static OperationResult estimatedDocumentCount(
      MongoCollection<BsonDocument> collection, Call call) {
    EstimatedDocumentCountOptions options = new EstimatedDocumentCountOptions();
    call.arguments().ifValue("comment", options::comment);
    call.arguments().ifLong("maxTimeMS", millis -> options.maxTime(millis, TimeUnit.MILLISECONDS));
    return number(collection.estimatedDocumentCount(options));
  }

  /** The driver no longer has this one; the server's command remains. */
  private static OperationResult count(MongoCollection<BsonDocument> collection, Call call) {
    BsonDocument command =
        new BsonDocument("count", new BsonString(collection.getNamespace().getCollectionName()));
    command.put("query", call.arguments().documentOrEmpty("filter"));
    for (String option : new String[] {"skip", "limit", "collation", "hint", "comment"}) {
      call.arguments().ifValue(option, value -> command.put(option, value));
    }
    BsonDocument reply = commandOn(collection, call, command);
    return number(reply.getNumber("n").longValue());
  }

  private static BsonDocument commandOn(
      MongoCollection<BsonDocument> collection, Call call, BsonDocument command) {
    MongoDatabase database = call.entities().database(collection.getNamespace().getDatabaseName());
    ReadPreference preference = collection.getReadPreference();
    return call.session()
        .map(session -> database.runCommand(session, command, preference, BsonDocument.class))
        .orElseGet(() -> database.runCommand(command, preference, BsonDocument.class));
  }

  private static OperationResult distinct(MongoCollection<BsonDocument> collection, Call call) {
    Arguments arguments = call.arguments();
    String field = arguments.string("fieldName");
    BsonDocument filter = arguments.documentOrEmpty("filter");
    DistinctIterable<BsonValue> distinct =
        call.session()
            .map(session -> collection.distinct(session, field, filter, BsonValue.class))
            .orElseGet(() -> collection.distinct(field, filter, BsonValue.class));
    arguments.ifCollation(distinct::collation);
    arguments.ifValue("comment", distinct::comment);
    arguments.ifHint(distinct::hint, distinct::hintString);
    arguments.ifLong("maxTimeMS", millis -> distinct.maxTime(millis, TimeUnit.MILLISECONDS));
    return OperationResult.ofAll(distinct.into(new ArrayList<>()));
  }

  private static OperationResult number(long value) {
    return OperationResult.of(new BsonInt64(value));
  }
}
