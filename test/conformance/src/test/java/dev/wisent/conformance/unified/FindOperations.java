package dev.wisent.conformance.unified;

import com.mongodb.CursorType;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;

/** {@code find}, {@code findOne} and {@code createFindCursor}. */
final class FindOperations {

  private FindOperations() {}

  static void addTo(OperationTable<MongoCollection<BsonDocument>> table) {
    table.add(
        "find",
        (collection, call) ->
            OperationResult.ofAll(iterable(collection, call).into(new ArrayList<>())));
    table.add(
        "findOne",
        (collection, call) -> OperationResult.ofNullable(iterable(collection, call).first()));
    table.add(
        "createFindCursor",
        (collection, call) ->
            OperationResult.entity(CursorEntity.of(iterable(collection, call).cursor())));
  }

  private static FindIterable<BsonDocument> iterable(
      MongoCollection<BsonDocument> collection, Call call) {
    Arguments arguments = call.arguments();
    BsonDocument filter = arguments.documentOrEmpty("filter");
    FindIterable<BsonDocument> find =
        call.session()
            .map(session -> collection.find(session, filter))
            .orElseGet(() -> collection.find(filter));
    arguments.ifDocument("projection", find::projection);
    arguments.ifDocument("sort", find::sort);
    arguments.ifInt("limit", find::limit);
    arguments.ifInt("skip", find::skip);
    arguments.ifInt("batchSize", find::batchSize);
    arguments.ifBoolean("allowDiskUse", find::allowDiskUse);
    arguments.ifCollation(find::collation);
    arguments.ifValue("comment", find::comment);
    arguments.ifHint(find::hint, find::hintString);
    arguments.ifDocument("let", find::let);
    arguments.ifDocument("min", find::min);
    arguments.ifDocument("max", find::max);
    arguments.ifBoolean("returnKey", find::returnKey);
    arguments.ifBoolean("showRecordId", find::showRecordId);
    arguments.ifBoolean("noCursorTimeout", find::noCursorTimeout);
    arguments.ifLong("maxTimeMS", millis -> find.maxTime(millis, TimeUnit.MILLISECONDS));
    arguments.ifLong("maxAwaitTimeMS", millis -> find.maxAwaitTime(millis, TimeUnit.MILLISECONDS));
    arguments.ifString("cursorType", type -> find.cursorType(cursorType(type)));
    return find;
  }

  static CursorType cursorType(String name) {
    return switch (name) {
      case "nonTailable" -> CursorType.NonTailable;
      case "tailable" -> CursorType.Tailable;
      case "tailableAwait" -> CursorType.TailableAwait;
      default -> throw new IllegalArgumentException("cursor type " + name);
    };
  }
}
