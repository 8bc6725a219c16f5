package dev.wisent.bench.store;

import java.util.function.Consumer;
import org.bson.BsonDocument;

/** One target seen from its clients. */
public interface Store extends AutoCloseable {
  /** Name and version of the server. */
  String version();

  /** Creates an empty collection, dropping one of that name first. */
  void create(CollectionSpec spec);

  void drop(String collection);

  /** Called once after a load, for what an operator would do then (statistics). */
  void afterLoad(String collection);

  /** Opens a client; its writes wait for the given durability. */
  Session session(Durability durability);

  /** Whether it is a replica set of MongoDB's kind: it has transactions and change streams. */
  default boolean isReplicaSet() {
    return false;
  }

  /**
   * Opens a change stream of a collection in a thread of its own.
   *
   * @param onInsert gets the document of each insert
   */
  default AutoCloseable watch(String collection, Consumer<BsonDocument> onInsert) {
    throw new UnsupportedOperationException("no change streams");
  }

  @Override
  void close();
}
