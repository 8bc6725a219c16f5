package dev.wisent.cluster.shard;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.bson.types.ObjectId;

/** A shard without a cluster: a test is its router and its config server. */
final class TestShard implements AutoCloseable {
  static final ObjectId EPOCH = new ObjectId("650000000000000000000001");
  static final BsonTimestamp TIME = new BsonTimestamp(100, 1);
  static final UUID COLLECTION = new UUID(1, 2);
  static final UUID DATABASE = new UUID(3, 4);
  private static final ObjectId CLUSTER = new ObjectId("650000000000000000000009");

  private final EmbeddedSet set;
  private final List<MongoClient> clients;

  TestShard(Path directory, int members) {
    this.set =
        EmbeddedSet.start(
            "shard0", members, directory, options -> options.clusterRole(ClusterRole.SHARD_SERVER));
    this.clients = set.members().stream().map(TestShard::connect).toList();
  }

  private static MongoClient connect(EmbeddedNode member) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(
                new ConnectionString("mongodb://" + member.address() + "/?directConnection=true"))
            .uuidRepresentation(UuidRepresentation.STANDARD)
            .build());
  }

  MongoClient client() {
    return clients.getFirst();
  }

  MongoClient client(int member) {
    return clients.get(member);
  }

  Document admin(Document command) {
    return client().getDatabase("admin").runCommand(command);
  }

  /** Tells the shard who it is. */
  void identify() {
    admin(addShard("first"));
  }

  static Document addShard(String name) {
    return new Document("_addShard", 1)
        .append(
            "shardIdentity",
            new Document("_id", "shardIdentity")
                .append("shardName", name)
                .append("clusterId", CLUSTER)
                .append("configsvrConnectionString", "config/127.0.0.1:1"))
        .append("writeConcern", new Document("w", "majority"));
  }

  /** Waits until a command waits on the shard. */
  void awaitWaiting(String command) {
    Document ask =
        new Document("currentOp", 1)
            .append("waitingForLock", true)
            .append("command." + command, new Document("$exists", true));
    while (admin(ask).getList("inprog", Document.class).isEmpty()) {
      Thread.onSpinWait();
    }
  }

  /** Has the only member lead in another term. */
  void electAgain() {
    try {
      admin(Document.parse("{replSetStepDown: 1, secondaryCatchUpPeriodSecs: 0, force: true}"));
    } catch (MongoException e) {
      // The connection may be closed before the answer.
    }
    while (!admin(new Document("hello", 1)).getBoolean("isWritablePrimary")) {
      Thread.onSpinWait();
    }
  }

  /** Makes the shard the primary of the database {@code test}. */
  void ownDatabase(int lastMod) {
    admin(
        new Document("_shardsvrSetDatabase", "test")
            .append("version", databaseVersion(lastMod))
            .append("writeConcern", new Document("w", "majority")));
  }

  static Document databaseVersion(int lastMod) {
    return new Document("uuid", DATABASE).append("timestamp", TIME).append("lastMod", lastMod);
  }

  /** Sets what the shard owns of a collection, under the version with this major number. */
  void own(String namespace, Document key, int major, Document... ranges) {
    admin(
        new Document("_shardsvrSetCollection", namespace)
            .append("uuid", COLLECTION)
            .append("key", key)
            .append("unique", false)
            .append("version", version(major, 0))
            .append("ranges", List.of(ranges))
            .append("writeConcern", new Document("w", "majority")));
  }

  static Document range(Document min, Document max) {
    return new Document("min", min).append("max", max);
  }

  static Document version(int major, int minor) {
    return new Document("e", EPOCH).append("t", TIME).append("v", new BsonTimestamp(major, minor));
  }

  static Document unsharded() {
    return new Document("e", new ObjectId("000000000000000000000000"))
        .append("t", new BsonTimestamp(0, 0))
        .append("v", new BsonTimestamp(0, 0));
  }

  /** Runs a command in the database {@code test} as a router sends it. */
  Document routed(Document command, Document shardVersion) {
    return client()
        .getDatabase("test")
        .runCommand(new Document(command).append("shardVersion", shardVersion));
  }

  /** The reply of a command that fails. */
  static BsonDocument failure(Runnable command) {
    try {
      command.run();
    } catch (MongoCommandException e) {
      return e.getResponse();
    }
    throw new AssertionError("the command has not failed");
  }

  @Override
  public void close() {
    clients.forEach(MongoClient::close);
    set.close();
  }
}
