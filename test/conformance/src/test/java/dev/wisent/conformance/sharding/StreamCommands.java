package dev.wisent.conformance.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;

/** A change stream by the commands that it is made of, read one batch at a time. */
final class StreamCommands {
  private static final long AWAIT_MILLIS = 10_000;

  private final MongoDatabase database;
  private final Object target;
  private final List<Document> pending;
  private long id;
  private Document token;

  /**
   * @param target the name of a collection, or 1
   * @param rest the stages behind {@code $changeStream}, each after a comma
   */
  StreamCommands(MongoDatabase database, Object target, Document options, String rest) {
    this.database = database;
    this.target = target;
    List<Document> pipeline = new ArrayList<>();
    pipeline.add(new Document("$changeStream", options));
    pipeline.addAll(Document.parse("{rest: [" + rest + "]}").getList("rest", Document.class));
    Document reply =
        database.runCommand(
            new Document("aggregate", target)
                .append("pipeline", pipeline)
                .append("cursor", new Document()));
    Document cursor = reply.get("cursor", Document.class);
    id = cursor.getLong("id");
    token = cursor.get("postBatchResumeToken", Document.class);
    pending = new ArrayList<>(cursor.getList("firstBatch", Document.class));
  }

  /** Reads until there are so many events. */
  List<Document> next(int count) {
    var events = new ArrayList<Document>(pending);
    pending.clear();
    while (events.size() < count) {
      events.addAll(more(AWAIT_MILLIS));
    }
    assertThat(events).hasSize(count);
    return events;
  }

  List<Document> more(long awaitMillis) {
    Document reply =
        database.runCommand(
            new Document("getMore", id)
                .append("collection", target instanceof String name ? name : "$cmd.aggregate")
                .append("maxTimeMS", awaitMillis));
    Document cursor = reply.get("cursor", Document.class);
    id = cursor.getLong("id");
    token = cursor.get("postBatchResumeToken", Document.class);
    return cursor.getList("nextBatch", Document.class);
  }

  /** The cursor; 0 after its end. */
  long id() {
    return id;
  }

  /** Where to go on from after the last batch. */
  Document token() {
    return token;
  }

  static List<String> types(List<Document> events) {
    return events.stream().map(event -> event.getString("operationType")).toList();
  }

  static String data(Document event) {
    return event.get("_id", Document.class).getString("_data");
  }
}
