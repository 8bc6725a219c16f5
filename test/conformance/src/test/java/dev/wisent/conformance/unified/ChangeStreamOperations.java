package dev.wisent.conformance.unified;

import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.changestream.FullDocument;
import com.mongodb.client.model.changestream.FullDocumentBeforeChange;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.bson.BsonDocument;

/** {@code createChangeStream} on collections, databases and clients. */
final class ChangeStreamOperations {

  private ChangeStreamOperations() {}

  static void addTo(
      OperationTable<MongoCollection<BsonDocument>> collections,
      OperationTable<MongoDatabase> databases,
      OperationTable<ClientEntity> clients) {
    collections.add(
        "createChangeStream",
        (target, call) ->
            open(
                call,
                pipeline -> target.watch(pipeline, BsonDocument.class),
                (session, pipeline) -> target.watch(session, pipeline, BsonDocument.class)));
    databases.add(
        "createChangeStream",
        (target, call) ->
            open(
                call,
                pipeline -> target.watch(pipeline, BsonDocument.class),
                (session, pipeline) -> target.watch(session, pipeline, BsonDocument.class)));
    clients.add(
        "createChangeStream",
        (target, call) ->
            open(
                call,
                pipeline -> target.client().watch(pipeline, BsonDocument.class),
                (session, pipeline) ->
                    target.client().watch(session, pipeline, BsonDocument.class)));
  }

  private static OperationResult open(
      Call call,
      Function<List<BsonDocument>, ChangeStreamIterable<BsonDocument>> watch,
      BiFunction<ClientSession, List<BsonDocument>, ChangeStreamIterable<BsonDocument>>
          watchInSession) {
    Arguments arguments = call.arguments();
    List<BsonDocument> pipeline = arguments.documents("pipeline");
    ChangeStreamIterable<BsonDocument> stream =
        call.session()
            .map(session -> watchInSession.apply(session, pipeline))
            .orElseGet(() -> watch.apply(pipeline));
    arguments.ifInt("batchSize", stream::batchSize);
    arguments.ifCollation(stream::collation);
    arguments.ifValue("comment", stream::comment);
    arguments.ifLong(
        "maxAwaitTimeMS", millis -> stream.maxAwaitTime(millis, TimeUnit.MILLISECONDS));
    arguments.ifBoolean("showExpandedEvents", stream::showExpandedEvents);
    arguments.ifString("fullDocument", name -> stream.fullDocument(FullDocument.fromString(name)));
    arguments.ifString(
        "fullDocumentBeforeChange",
        name -> stream.fullDocumentBeforeChange(FullDocumentBeforeChange.fromString(name)));
    arguments.ifDocument("resumeAfter", stream::resumeAfter);
    arguments.ifDocument("startAfter", stream::startAfter);
    arguments.ifValue(
        "startAtOperationTime", time -> stream.startAtOperationTime(time.asTimestamp()));
    return OperationResult.entity(
        CursorEntity.ofStream(stream.withDocumentClass(BsonDocument.class).cursor()));
  }
}
