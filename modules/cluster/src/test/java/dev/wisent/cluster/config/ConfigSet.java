package dev.wisent.cluster.config;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One config server for all tests of a class, with test commands. */
final class ConfigSet implements BeforeAllCallback, AfterAllCallback {
  private Path directory;
  private EmbeddedSet set;
  private MongoClient client;

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    directory = Files.createTempDirectory("wisent-config");
    set =
        EmbeddedSet.start(
            "cfg",
            1,
            directory,
            options ->
                options
                    .clusterRole(ClusterRole.CONFIG_SERVER)
                    .cacheBytes(32 << 20)
                    .setParameter("enableTestCommands", "1"));
    client = MongoClients.create(set.uri());
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    client.close();
    set.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  EmbeddedSet set() {
    return set;
  }

  Path directory() {
    return directory;
  }

  BsonDocument admin(String json) {
    return client.getDatabase("admin").runCommand(BsonDocument.parse(json), BsonDocument.class);
  }

  /** The error reply of a command that must fail. */
  BsonDocument fail(String json) {
    try {
      throw new AssertionError("should have failed: " + json + " but gave " + admin(json));
    } catch (MongoCommandException e) {
      return e.getResponse();
    }
  }

  MongoCollection<BsonDocument> collection(String name) {
    return client.getDatabase("config").getCollection(name, BsonDocument.class);
  }

  /** Waits for something that needs a request to be known. */
  void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited for " + what);
      }
    }
  }
}
