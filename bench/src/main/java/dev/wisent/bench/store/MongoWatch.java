package dev.wisent.bench.store;

import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.BsonDocument;

/** A change stream that a thread of its own reads until it is closed. */
final class MongoWatch implements AutoCloseable {
  private static final int AWAIT_SECONDS = 1;

  private final Thread thread;
  private volatile boolean closed;

  private MongoWatch(
      MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> cursor,
      Consumer<BsonDocument> onInsert) {
    this.thread = Thread.ofPlatform().name("watch").daemon().start(() -> read(cursor, onInsert));
  }

  /** Returns when the stream is open: it sees all inserts after that. */
  static MongoWatch open(
      MongoCollection<BsonDocument> collection, Consumer<BsonDocument> onInsert) {
    ChangeStreamIterable<BsonDocument> stream =
        collection.watch().maxAwaitTime(AWAIT_SECONDS, TimeUnit.SECONDS);
    return new MongoWatch(stream.cursor(), onInsert);
  }

  private void read(
      MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> cursor,
      Consumer<BsonDocument> onInsert) {
    try (cursor) {
      while (!closed) {
        ChangeStreamDocument<BsonDocument> event = cursor.tryNext();
        if (event != null && event.getFullDocument() != null) {
          onInsert.accept(event.getFullDocument());
        }
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
  }
}
