package dev.wisent.conformance.unified;

import com.mongodb.client.AggregateIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;

/** {@code aggregate} on collections and databases, and {@code mapReduce}. */
final class AggregateOperations {

  private AggregateOperations() {}

  static void addTo(
      OperationTable<MongoCollection<BsonDocument>> collections,
      OperationTable<MongoDatabase> databases) {
    collections.add("aggregate", AggregateOperations::onCollection);
    collections.add("mapReduce", AggregateOperations::mapReduce);
    databases.add("aggregate", AggregateOperations::onDatabase);
  }

  private static OperationResult onCollection(MongoCollection<BsonDocument> collection, Call call) {
    List<BsonDocument> pipeline = call.arguments().documents("pipeline");
    return run(
        call.session()
            .map(session -> collection.aggregate(session, pipeline))
            .orElseGet(() -> collection.aggregate(pipeline)),
        pipeline,
        call.arguments());
  }

  private static OperationResult onDatabase(MongoDatabase database, Call call) {
    List<BsonDocument> pipeline = call.arguments().documents("pipeline");
    return run(
        call.session()
            .map(session -> database.aggregate(session, pipeline, BsonDocument.class))
            .orElseGet(() -> database.aggregate(pipeline, BsonDocument.class)),
        pipeline,
        call.arguments());
  }

  private static OperationResult run(
      AggregateIterable<BsonDocument> aggregate, List<BsonDocument> pipeline, Arguments arguments) {
    arguments.ifInt("batchSize", aggregate::batchSize);
    arguments.ifBoolean("allowDiskUse", aggregate::allowDiskUse);
    arguments.ifBoolean("bypassDocumentValidation", aggregate::bypassDocumentValidation);
    arguments.ifCollation(aggregate::collation);
    arguments.ifValue("comment", aggregate::comment);
    arguments.ifHint(aggregate::hint, aggregate::hintString);
    arguments.ifDocument("let", aggregate::let);
    arguments.ifLong("maxTimeMS", millis -> aggregate.maxTime(millis, TimeUnit.MILLISECONDS));
    if (writes(pipeline)) {
      // Iterating would make the driver read the target collection, which no case asks for.
      aggregate.toCollection();
      return OperationResult.none();
    }
    return OperationResult.ofAll(aggregate.into(new ArrayList<>()));
  }

  private static boolean writes(List<BsonDocument> pipeline) {
    return !pipeline.isEmpty()
        && (pipeline.getLast().containsKey("$out") || pipeline.getLast().containsKey("$merge"));
  }

  @SuppressWarnings("deprecation") // an old operation of the format
  private static OperationResult mapReduce(MongoCollection<BsonDocument> collection, Call call) {
    Arguments arguments = call.arguments();
    if (!arguments.document("out").containsKey("inline")) {
      throw new IllegalArgumentException("only inline results");
    }
    String map = arguments.value("map").asJavaScript().getCode();
    String reduce = arguments.value("reduce").asJavaScript().getCode();
    return OperationResult.ofAll(collection.mapReduce(map, reduce).into(new ArrayList<>()));
  }
}
