package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import java.nio.file.Path;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What needs nothing of a shard that is down goes on. */
class LostShardTest {
  /** The coordinators give a shard up long before. */
  private static final int LIMIT_MILLIS = 30_000;

  @TempDir Path directory;

  private EmbeddedCluster start() {
    return EmbeddedCluster.start(2, directory, options -> options.cacheBytes(32 << 20));
  }

  @Test
  void databasesAndCollectionsAreCreatedElsewhere() {
    try (EmbeddedCluster cluster = start();
        MongoClient client = MongoClients.create(cluster.uri())) {
      cluster.shards().get(1).close();
      for (int i = 0; i < 3; i++) {
        create(client, "d" + i);
        run(client, "{shardCollection: 'd%d.ranged', key: {a: 1}, maxTimeMS: %d}", i);
        client.getDatabase("d" + i).getCollection("ranged").insertOne(new Document("a", i));
      }
      assertThat(databases(client)).contains("d0", "d1", "d2");
    }
  }

  @Test
  @Tag("faults")
  void whatNeedsItFailsAndIsUndone() {
    try (EmbeddedCluster cluster = start();
        MongoClient client = MongoClients.create(cluster.uri())) {
      create(client, "d0");
      cluster.shards().get(1).close();
      assertFails(client, "{shardCollection: 'd%d.hashed', key: {a: 'hashed'}, maxTimeMS: %d}");
      assertFails(client, "{enableSharding: 'no%d', primaryShard: 'shard1', maxTimeMS: %d}");
      client.getDatabase("d0").getCollection("hashed").insertOne(new Document("a", 1));
      create(client, "no0");
    }
  }

  private static void create(MongoClient client, String database) {
    client
        .getDatabase(database)
        .runCommand(new Document("create", "c").append("maxTimeMS", LIMIT_MILLIS));
  }

  private static void run(MongoClient client, String command, int number) {
    client
        .getDatabase("admin")
        .runCommand(BsonDocument.parse(command.formatted(number, LIMIT_MILLIS)));
  }

  private static void assertFails(MongoClient client, String command) {
    try {
      run(client, command, 0);
    } catch (MongoCommandException e) {
      assertThat(e.getErrorCode()).as(e.getErrorMessage()).isEqualTo(133);
      return;
    }
    throw new AssertionError("should have failed: " + command);
  }

  private static Iterable<String> databases(MongoClient client) {
    return client
        .getDatabase("config")
        .getCollection("databases")
        .find()
        .map(database -> database.getString("_id"));
  }
}
