package dev.wisent.conformance.unified;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The named objects of a case. Closing it closes them, last created first. */
final class Entities implements AutoCloseable {

  private final Map<String, Object> byId = new LinkedHashMap<>();
  private final Map<String, BsonDocument> sessionIds = new LinkedHashMap<>();
  private final IdentityHashMap<MongoDatabase, MongoClient> clients = new IdentityHashMap<>();

  void add(String id, Object entity) {
    if (byId.putIfAbsent(id, entity) != null) {
      throw new IllegalArgumentException("entity " + id + " exists already");
    }
    if (entity instanceof ClientSession session) {
      // Remembered because the session may be closed when a test asks for its id.
      sessionIds.put(id, session.getServerSession().getIdentifier());
    }
  }

  void addDatabase(String id, MongoDatabase database, MongoClient client) {
    add(id, database);
    clients.put(database, client);
  }

  Object find(String id) {
    Object entity = byId.get(id);
    if (entity == null) {
      throw new IllegalArgumentException("no entity " + id);
    }
    return entity;
  }

  <T> T find(String id, Class<T> type) {
    return type.cast(find(id));
  }

  /** The client that a database entity was created with. */
  MongoClient clientOf(MongoDatabase database) {
    return clients.get(database);
  }

  /** A database entity by the name of its database. */
  MongoDatabase database(String name) {
    return byId.values().stream()
        .filter(MongoDatabase.class::isInstance)
        .map(MongoDatabase.class::cast)
        .filter(database -> database.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no entity for database " + name));
  }

  Optional<BsonValue> value(String id) {
    return Optional.ofNullable(byId.get(id))
        .filter(BsonValue.class::isInstance)
        .map(BsonValue.class::cast);
  }

  BsonDocument sessionId(String id) {
    return Optional.ofNullable(sessionIds.get(id))
        .orElseThrow(() -> new IllegalArgumentException("no session " + id));
  }

  @Override
  public void close() {
    List<Object> newestFirst = new ArrayList<>(byId.values());
    Collections.reverse(newestFirst);
    for (Object entity : newestFirst) {
      close(entity);
    }
  }

  private static void close(Object entity) {
    switch (entity) {
      case ClientSession session -> session.close();
      case CursorEntity cursor -> cursor.close();
      case ClientEntity client -> client.close();
      default -> {
        // Databases, collections and values hold no resources.
      }
    }
  }
}
