package dev.wisent.conformance.unified;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * A cursor over the reply to an arbitrary command, made of plain {@code getMore} commands because
 * the Java driver has no such thing.
 */
final class CommandCursor implements CursorEntity {

  private final MongoDatabase database;
  private final ClientSession session;
  private final boolean ownsSession;
  private final BsonDocument getMoreOptions;
  private final Deque<BsonDocument> batch = new ArrayDeque<>();
  private final String collection;
  private long id;

  /**
   * @param reply the reply to the command that opened the cursor
   * @param ownsSession whether the session ends with the cursor
   * @param getMoreOptions fields added to each {@code getMore}
   */
  CommandCursor(
      MongoDatabase database,
      ClientSession session,
      boolean ownsSession,
      BsonDocument reply,
      BsonDocument getMoreOptions) {
    if (!reply.containsKey("cursor")) {
      throw new IllegalStateException("the reply has no cursor: " + reply.toJson());
    }
    this.database = database;
    this.session = session;
    this.ownsSession = ownsSession;
    this.getMoreOptions = getMoreOptions;
    BsonDocument cursor = reply.getDocument("cursor");
    String namespace = cursor.getString("ns").getValue();
    this.collection = namespace.substring(namespace.indexOf('.') + 1);
    this.id = cursor.getNumber("id").longValue();
    addAll(cursor.getArray("firstBatch"));
  }

  @Override
  public BsonDocument next() {
    while (batch.isEmpty() && id != 0) {
      fetch();
    }
    if (batch.isEmpty()) {
      throw new NoSuchElementException("the cursor is exhausted");
    }
    return batch.removeFirst();
  }

  @Override
  public Optional<BsonDocument> tryNext() {
    if (batch.isEmpty() && id != 0) {
      fetch();
    }
    return Optional.ofNullable(batch.pollFirst());
  }

  @Override
  public List<BsonDocument> drain() {
    List<BsonDocument> documents = new ArrayList<>();
    while (!batch.isEmpty() || id != 0) {
      tryNext().ifPresent(documents::add);
    }
    return documents;
  }

  @Override
  public void close() {
    if (id != 0) {
      BsonDocument kill = new BsonDocument("killCursors", new BsonString(collection));
      kill.put("cursors", new BsonArray(List.of(new BsonInt64(id))));
      database.runCommand(session, kill);
      id = 0;
    }
    if (ownsSession) {
      session.close();
    }
  }

  private void fetch() {
    BsonDocument getMore = new BsonDocument("getMore", new BsonInt64(id));
    getMore.put("collection", new BsonString(collection));
    getMore.putAll(getMoreOptions);
    BsonDocument cursor =
        database.runCommand(session, getMore, BsonDocument.class).getDocument("cursor");
    id = cursor.getNumber("id").longValue();
    addAll(cursor.getArray("nextBatch"));
  }

  private void addAll(BsonArray documents) {
    documents.forEach(document -> batch.addLast(document.asDocument()));
  }
}
