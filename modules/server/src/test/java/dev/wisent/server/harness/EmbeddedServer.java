package dev.wisent.server.harness;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.wisent.base.Clock;
import dev.wisent.base.log.ServerLog;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.node.WisentServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One server for all tests of a class, with test commands, on any free port. */
public final class EmbeddedServer implements BeforeAllCallback, AfterAllCallback {
  private final UnaryOperator<ServerOptions.Builder> configuration;
  private final List<String> logLines = new CopyOnWriteArrayList<>();
  private Path directory;
  private WisentServer server;
  private MongoClient client;

  public EmbeddedServer() {
    this(UnaryOperator.identity());
  }

  public EmbeddedServer(UnaryOperator<ServerOptions.Builder> configuration) {
    this.configuration = configuration;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    directory = Files.createTempDirectory("wisent-test");
    ServerOptions options =
        configuration
            .apply(
                ServerOptions.builder(directory)
                    .port(0)
                    .cacheBytes(32 << 20)
                    .setParameter("enableTestCommands", "1"))
            .build();
    server = WisentServer.start(options, new ServerLog(logLines::add, Clock.system()));
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (client != null) {
      client.close();
    }
    server.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  public String uri() {
    return "mongodb://127.0.0.1:" + server.port() + "/?directConnection=true";
  }

  public WisentServer server() {
    return server;
  }

  /** The driver, which connects when it is first asked for. */
  public MongoClient client() {
    if (client == null) {
      client =
          MongoClients.create(
              MongoClientSettings.builder()
                  .applyConnectionString(new ConnectionString(uri()))
                  .applicationName("tests")
                  .build());
    }
    return client;
  }

  public MongoDatabase database(String name) {
    return client().getDatabase(name);
  }

  /** An empty collection of the test database. */
  public MongoCollection<BsonDocument> fresh(String name) {
    MongoCollection<BsonDocument> collection =
        database("test").getCollection(name, BsonDocument.class);
    collection.drop();
    return collection;
  }

  public RawClient connect() {
    return new RawClient(server.port());
  }

  /** Runs a command of the test database through the driver. */
  public BsonDocument run(String json) {
    return run("test", json);
  }

  public BsonDocument run(String database, String json) {
    return database(database).runCommand(BsonDocument.parse(json), BsonDocument.class);
  }

  public BsonDocument admin(String json) {
    return run("admin", json);
  }

  /** The error reply of a command that must fail. */
  public BsonDocument fail(String json) {
    return fail("test", json);
  }

  public BsonDocument fail(String database, String json) {
    try {
      BsonDocument reply = run(database, json);
      throw new AssertionError("should have failed: " + json + " but gave " + reply);
    } catch (MongoCommandException e) {
      return e.getResponse();
    }
  }

  /** Lines of the log that contain all of the texts. */
  public List<String> logLines(String... texts) {
    return logLines.stream().filter(line -> Stream.of(texts).allMatch(line::contains)).toList();
  }

  /**
   * How many connections the server counts now, the one that asks not included. That one is gone on
   * return: it would count for what comes next.
   */
  public int connections() {
    int current;
    long id;
    try (RawClient asking = connect()) {
      id = asking.run("{hello: 1, $db: 'admin'}").getNumber("connectionId").longValue();
      BsonDocument status = asking.run("{serverStatus: 1, $db: 'admin'}");
      current = status.getDocument("connections").getNumber("current").intValue() - 1;
    }
    String ended = "\"connectionId\":" + id + ",";
    Eventually.await("it has ended", () -> !logLines("Connection ended", ended).isEmpty());
    return current;
  }
}
