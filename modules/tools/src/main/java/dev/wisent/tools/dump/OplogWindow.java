package dev.wisent.tools.dump;

import com.mongodb.MongoException;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.format.CollectionMetadata;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** The part of the oplog that was written while collections were read. */
final class OplogWindow {
  private final Deployment deployment;
  private final SourceReader reader;
  private final BsonTimestamp begin;

  private OplogWindow(Deployment deployment, SourceReader reader, BsonTimestamp begin) {
    this.deployment = deployment;
    this.reader = reader;
    this.begin = begin;
  }

  /** Begins now, or with the oldest transaction that is under way. */
  static OplogWindow open(Deployment deployment, SourceReader reader) throws ToolException {
    BsonTimestamp begin = reader.oplogTime(-1);
    try {
      for (BsonDocument transaction :
          deployment
              .database("config")
              .getCollection("transactions", BsonDocument.class)
              .find(BsonDocument.parse("{state: {$in: ['prepared', 'inProgress']}}"))) {
        BsonValue start = transaction.get("startOpTime");
        if (start != null && start.isDocument()) {
          BsonTimestamp time = start.asDocument().getTimestamp("ts");
          begin = time.compareTo(begin) < 0 ? time : begin;
        }
      }
    } catch (MongoException e) {
      throw Deployment.failure("cannot read config.transactions", e);
    }
    return new OplogWindow(deployment, reader, begin);
  }

  /** What an archive says before it is known how long it gets. */
  static SourceCollection placeholder() {
    return collection(new BsonDocument());
  }

  /** All up to now. */
  SourceCollection close() throws ToolException {
    BsonTimestamp end = reader.oplogTime(-1);
    return collection(new BsonDocument("ts", new BsonDocument("$gte", begin).append("$lte", end)));
  }

  /** Fails where entries were deleted before they could be read. */
  void checkComplete() throws ToolException {
    if (reader.oplogTime(1).compareTo(begin) > 0) {
      throw ToolException.failed(
          "the oplog does not reach back to the begin of the dump any longer; make it larger"
              + " (replSetResizeOplog), or dump without --oplog");
    }
  }

  private static SourceCollection collection(BsonDocument filter) {
    return new SourceCollection(
        "local",
        "oplog.rs",
        "",
        "oplog",
        new CollectionMetadata(
            "oplog", CollectionMetadata.COLLECTION, new BsonDocument(), List.of(), ""),
        filter,
        0,
        true,
        false);
  }

  /** Refuses what cannot be repeated on a copy that has a part of it already. */
  static void check(RawBsonDocument entry) throws ToolException {
    if (!entry.getString("op").getValue().equals("c")) {
      return;
    }
    BsonDocument what = entry.getDocument("o");
    if (what.containsKey("renameCollection")) {
      throw ToolException.failed(
          "a collection was renamed during the dump: " + what.toJson() + "; repeat the dump");
    }
  }

  /** For messages. */
  @Override
  public String toString() {
    return deployment.kind() + " from " + SourceReader.text(begin);
  }
}
