package dev.wisent.conformance.unified;

import com.mongodb.client.MongoCursor;
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
