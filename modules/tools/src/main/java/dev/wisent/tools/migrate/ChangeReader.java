package dev.wisent.tools.migrate;

import com.mongodb.MongoException;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCursor;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Attempts;
import dev.wisent.tools.connection.Deployment;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/**
 * The change stream of the whole source. Of each event only the keys are sent, so that no event is
 * too large. For one thread.
 */
final class ChangeReader implements AutoCloseable {
  private static final int HISTORY_LOST = 286;
  private static final int FATAL = 280;
  private static final int EVENTS_MAX = 5_000;
  private static final int AWAIT_MILLIS = 200;
  private static final List<BsonDocument> KEYS_ONLY =
      List.of(
          BsonDocument.parse(
              "{$project: {operationType: 1, clusterTime: 1, collectionUUID: 1, documentKey: 1}}"));

  private final MongoChangeStreamCursor<RawBsonDocument> cursor;

  private ChangeReader(MongoCursor<RawBsonDocument> cursor) {
    this.cursor = (MongoChangeStreamCursor<RawBsonDocument>) cursor;
  }

  /**
   * Opens the stream.
   *
   * @param token after which it begins; null for now
   */
  static ChangeReader open(Deployment source, BsonDocument token) throws ToolException {
    try {
      var stream =
          source
              .client()
              .watch(KEYS_ONLY, RawBsonDocument.class)
              .showExpandedEvents(true)
              .batchSize(EVENTS_MAX)
              .maxAwaitTime(AWAIT_MILLIS, TimeUnit.MILLISECONDS);
      if (token != null) {
        stream.resumeAfter(token);
      }
      return new ChangeReader(stream.withDocumentClass(RawBsonDocument.class).cursor());
    } catch (MongoException e) {
      throw failure(e);
    }
  }

  /** A place from which a later stream has everything that happens after this call. */
  static BsonDocument here(Deployment source) throws ToolException {
    try (ChangeReader reader = open(source, null)) {
      BsonDocument token = reader.read().token();
      if (token == null) {
        throw ToolException.failed("the source's change stream has no place to go on from");
      }
      return token;
    }
  }

  /** What the source has sent, or an empty batch if nothing comes for a moment. */
  ChangeBatch read() throws ToolException {
    var batch = new ChangeBatch();
    try {
      BsonDocument next = cursor.tryNext();
      while (next != null) {
        batch.add(next);
        next = cursor.available() > 0 && batch.events() < EVENTS_MAX ? cursor.next() : null;
      }
    } catch (MongoException e) {
      throw failure(e);
    }
    if (cursor.getResumeToken() != null) {
      batch.endsAt(cursor.getResumeToken());
    }
    return batch;
  }

  /** Passes on what another attempt may help against. */
  private static ToolException failure(MongoException e) {
    if (e.getCode() == HISTORY_LOST || e.getCode() == FATAL) {
      return ToolException.failed(
          "the source does not keep the changes since the last run any longer; --restart begins"
              + " anew",
          e);
    }
    if (Attempts.isTransient(e)) {
      throw e;
    }
    return Deployment.failure("cannot read the changes of the source", e);
  }

  @Override
  public void close() {
    cursor.close();
  }
}
