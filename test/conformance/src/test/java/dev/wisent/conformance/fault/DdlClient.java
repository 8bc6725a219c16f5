package dev.wisent.conformance.fault;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Indexes;
import org.bson.Document;

/**
 * A client that shards, changes and drops collections of its own. An error that a router replies
 * with is a finding, where all sets have majorities. Used by one thread.
 */
final class DdlClient implements ClientThreads.Client {
  static final String DATABASE = "ddl";

  private final ClusterLoad load;
  private final MongoClient client;
  private long turn;

  DdlClient(ClusterLoad load, String uri) {
    this.load = load;
    this.client = MongoClients.create(ClusterLoad.settings(uri));
  }

  @Override
  public void step() {
    try {
      turn(turn++);
      load.changed();
    } catch (MongoCommandException e) {
      load.changeFailed(e);
    } catch (MongoException e) {
      // The router has gone. Drivers do not repeat it; the config servers go on.
    }
  }

  /** Every third one is of a new database. */
  private void turn(long number) {
    MongoDatabase database = client.getDatabase(number % 3 == 0 ? "ddl" + number : DATABASE);
    String name = "c" + number;
    client
        .getDatabase("admin")
        .runCommand(
            new Document("shardCollection", database.getName() + "." + name)
                .append("key", new Document("_id", "hashed")));
    MongoCollection<Document> collection = database.getCollection(name);
    collection.createIndex(Indexes.ascending("x"));
    collection.dropIndex(Indexes.ascending("x"));
    database.createCollection("plain" + number);
    database.getCollection("plain" + number).createIndex(Indexes.ascending("x"));
    database.getCollection("plain" + number).drop();
    if (number % 2 == 0) {
      collection.drop();
    }
    if (number % 6 == 0) {
      database.drop();
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
