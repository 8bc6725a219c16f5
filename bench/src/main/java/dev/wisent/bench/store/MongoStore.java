package dev.wisent.bench.store;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.bench.access.MongoAccess;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** A server that speaks MongoDB's protocol, through the official Java driver. */
public final class MongoStore implements Store {
  /** Everything happens in this database; it is dropped at the beginning and at the end. */
  private static final String DATABASE = "wisent_bench";

  private static final int POOL_SIZE_MAX = 300;
  private static final int SELECTION_TIMEOUT_SECONDS = 15;
  private static final int READ_TIMEOUT_SECONDS = 120;

  private final MongoClient client;
  private final MongoDatabase database;
  private final boolean sharded;

  public MongoStore(String uri) {
    this(MongoAccess.of(uri));
  }

  /** One that may want a login, or encrypt. */
  public MongoStore(MongoAccess access) {
    this(access, false);
  }

  /** The router of a cluster: every collection is spread over all shards, by a hash of _id. */
  public static MongoStore sharded(String uri) {
    return new MongoStore(MongoAccess.of(uri), true);
  }

  private MongoStore(MongoAccess access, boolean sharded) {
    this.sharded = sharded;
    MongoClientSettings settings =
        access
            .settings()
            .applyToConnectionPoolSettings(pool -> pool.maxSize(POOL_SIZE_MAX))
            .applyToClusterSettings(
                cluster ->
                    cluster.serverSelectionTimeout(SELECTION_TIMEOUT_SECONDS, TimeUnit.SECONDS))
            .applyToSocketSettings(
                socket -> socket.readTimeout(READ_TIMEOUT_SECONDS, TimeUnit.SECONDS))
            .build();
    this.client = MongoClients.create(settings);
    this.database = client.getDatabase(DATABASE);
    try {
      database.drop();
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }

  @Override
  public String version() {
    return admin("buildInfo").getString("version", new BsonString("unknown version")).getValue();
  }

  /** The server's process id as it reports it itself, or -1. */
  public long reportedPid() {
    try {
      return admin("serverStatus").getNumber("pid", new BsonInt64(-1)).longValue();
    } catch (RuntimeException unsupported) {
      return -1;
    }
  }

  private BsonDocument admin(String command) {
    return client
        .getDatabase("admin")
        .runCommand(new BsonDocument(command, new BsonInt32(1)), BsonDocument.class);
  }

  @Override
  public void create(CollectionSpec spec) {
    drop(spec.name());
    if (sharded) {
      var key = new BsonDocument("_id", new BsonString("hashed"));
      var command =
          new BsonDocument("shardCollection", new BsonString(DATABASE + "." + spec.name()))
              .append("key", key);
      client.getDatabase("admin").runCommand(command);
    } else {
      database.createCollection(spec.name());
    }
    for (List<Field> index : spec.indexes()) {
      var key = new BsonDocument();
      index.forEach(field -> key.append(field.name(), order(field)));
      database.getCollection(spec.name()).createIndex(key);
    }
  }

  private static BsonValue order(Field field) {
    return switch (field.type()) {
      case PROSE -> new BsonString("text");
      case PLACE -> new BsonString("2dsphere");
      case INTEGER, DATE, TEXT -> new BsonInt32(1);
    };
  }

  @Override
  public void drop(String collection) {
    database.getCollection(collection).drop();
  }

  @Override
  public void afterLoad(String collection) {}

  @Override
  public Session session(Durability durability) {
    return new MongoSession(client, database, durability, !sharded);
  }

  @Override
  public boolean isReplicaSet() {
    try {
      return admin("hello").containsKey("setName");
    } catch (MongoCommandException unknownCommand) {
      return false;
    }
  }

  @Override
  public AutoCloseable watch(String collection, Consumer<BsonDocument> onInsert) {
    return MongoWatch.open(database.getCollection(collection, BsonDocument.class), onInsert);
  }

  @Override
  public void close() {
    try {
      database.drop();
    } catch (RuntimeException serverGone) {
      // Its process or its directory goes next; there is nothing to tidy.
    } finally {
      client.close();
    }
  }
}
