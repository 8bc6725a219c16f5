package dev.wisent.conformance.transaction;

import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.conformance.fault.ClientThreads;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;

/**
 * Follows a database with a change stream. Besides the resumes that the driver does by itself, the
 * stream is closed now and then, and opened again where it was.
 */
final class StreamReader implements ClientThreads.Client {

  private static final int EVENTS_PER_CURSOR_MAX = 400;
  private static final int AWAIT_MILLIS = 200;

  private final RandomGenerator random;
  private final StreamHistory history;
  private final ClientThreads threads;
  private final BsonTimestamp start;
  private final MongoClient client;
  private final MongoDatabase database;
  private MongoChangeStreamCursor<BsonDocument> cursor;
  private BsonDocument token;
  private int left;

  /**
   * @param start the stream begins with what happened at this time
   * @param preference where it reads
   */
  StreamReader(
      RandomGenerator random,
      StreamHistory history,
      ClientThreads threads,
      BsonTimestamp start,
      ReadPreference preference,
      String uri) {
    this.random = random;
    this.history = history;
    this.threads = threads;
    this.start = start;
    this.client = MongoClients.create(ClientThreads.settings(uri));
    this.database = client.getDatabase(TransactionLoad.DATABASE).withReadPreference(preference);
  }

  /** Takes what there is, at most one event. */
  @Override
  public void step() {
    try {
      if (cursor == null) {
        open();
      }
      BsonDocument event = cursor.tryNext();
      token = cursor.getResumeToken();
      if (event != null) {
        history.add(event);
        if (--left == 0) {
          closeCursor();
        }
      }
    } catch (MongoException e) {
      threads.failed(e);
      closeCursor();
    }
  }

  private void open() {
    ChangeStreamIterable<BsonDocument> stream =
        database.watch(BsonDocument.class).maxAwaitTime(AWAIT_MILLIS, TimeUnit.MILLISECONDS);
    if (token == null) {
      stream.startAtOperationTime(start);
    } else if (random.nextBoolean()) {
      stream.resumeAfter(token);
    } else {
      stream.startAfter(token);
    }
    cursor =
        (MongoChangeStreamCursor<BsonDocument>)
            stream.withDocumentClass(BsonDocument.class).cursor();
    left = random.nextInt(1, EVENTS_PER_CURSOR_MAX);
  }

  private void closeCursor() {
    if (cursor != null) {
      cursor.close();
      cursor = null;
    }
  }

  @Override
  public void close() {
    closeCursor();
    client.close();
  }
}
