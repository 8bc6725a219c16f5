package dev.wisent.conformance.unified;

import com.mongodb.client.MongoCursor;
import dev.wisent.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/** An open cursor of a case, whether it is the driver's or the runner's own. */
interface CursorEntity extends AutoCloseable {

  /** The next document; waits for one. */
  BsonDocument next();

  /** The next document, after at most one request to the server. */
  Optional<BsonDocument> tryNext();

  /** Reads to the end. */
  List<BsonDocument> drain();

  @Override
  void close();

  static CursorEntity of(MongoCursor<BsonDocument> cursor) {
    return new DriverCursor(cursor);
  }

  static CursorEntity ofStream(MongoCursor<BsonDocument> cursor) {
    return new StreamCursor(cursor);
  }

  /** A change stream, which has no end: waiting for an event that does not come fails. */
  record StreamCursor(MongoCursor<BsonDocument> cursor) implements CursorEntity {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Override
    public BsonDocument next() {
      return Eventually.yields("an event", PATIENCE, this::tryNext);
    }

    @Override
    public Optional<BsonDocument> tryNext() {
      return Optional.ofNullable(cursor.tryNext());
    }

    @Override
    public List<BsonDocument> drain() {
      throw new UnsupportedOperationException("a change stream has no end");
    }

    @Override
    public void close() {
      cursor.close();
    }
  }

  /** A cursor that the driver iterates. */
  record DriverCursor(MongoCursor<BsonDocument> cursor) implements CursorEntity {

    @Override
    public BsonDocument next() {
      return cursor.next();
    }

    @Override
    public Optional<BsonDocument> tryNext() {
      return Optional.ofNullable(cursor.tryNext());
    }

    @Override
    public List<BsonDocument> drain() {
      List<BsonDocument> documents = new ArrayList<>();
      cursor.forEachRemaining(documents::add);
      return documents;
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
