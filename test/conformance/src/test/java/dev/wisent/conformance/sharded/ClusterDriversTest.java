package dev.wisent.conformance.sharded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.gridfs.GridFSBucket;
import com.mongodb.client.gridfs.GridFSBuckets;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.Updates;
import dev.wisent.testkit.NodePackages;
import dev.wisent.testkit.ScriptResult;
import dev.wisent.testkit.replica.ShardedProcesses;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drivers and mongosh on two shards of three members, three config servers and two routers. */
@Tag("faults")
class ClusterDriversTest {
  private static final String MONGOSH_VERSION = "2.12.0";
  private static final String DRIVER_VERSION = "7.8.0";
  private static final String PYTHON = "/usr/bin/python3";
  private static final Duration PATIENCE = Duration.ofSeconds(420);

  @TempDir private static Path directory;
  private static ShardedProcesses cluster;

  @BeforeAll
  static void start() {
    cluster = ShardedProcesses.start(directory.resolve("cluster"), 2, 3, 3, 2);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void javaDriver() {
    try (MongoClient client = MongoClients.create(cluster.uri())) {
      client
          .getDatabase("admin")
          .runCommand(
              new Document("shardCollection", "java.people")
                  .append("key", new Document("_id", "hashed")));
      MongoDatabase database = client.getDatabase("java");
      crud(database.getCollection("people"));
      gridFs(client, database);
      transaction(client, database);
      database.drop();
      assertThat(client.listDatabaseNames()).doesNotContain("java");
    }
  }

  private static void crud(MongoCollection<Document> people) {
    people.insertMany(
        IntStream.range(0, 300).mapToObj(i -> new Document("_id", i).append("n", i % 10)).toList());
    assertThat(people.countDocuments(Filters.eq("n", 4))).isEqualTo(30);
    var written =
        people.bulkWrite(
            List.of(
                new InsertOneModel<>(new Document("_id", 1000)),
                new UpdateManyModel<>(Filters.eq("n", 4), Updates.set("four", true)),
                new DeleteOneModel<>(Filters.eq(5))),
            new BulkWriteOptions().ordered(false));
    assertThat(written.getModifiedCount()).isEqualTo(30);
    assertThat(people.find().sort(Sorts.descending("_id")).batchSize(20).into(new ArrayList<>()))
        .hasSize(300)
        .first()
        .isEqualTo(new Document("_id", 1000));
    assertThat(
            people.aggregate(
                List.of(
                    Aggregates.match(Filters.lt("n", 3)),
                    Aggregates.group("$n", Accumulators.sum("all", 1)),
                    Aggregates.sort(Sorts.ascending("_id")))))
        .extracting(group -> group.getInteger("all"))
        .containsExactly(30, 30, 30);
  }

  private static void gridFs(MongoClient client, MongoDatabase database) {
    client
        .getDatabase("admin")
        .runCommand(
            new Document("shardCollection", "java.files.chunks")
                .append("key", new Document("files_id", 1).append("n", 1)));
    GridFSBucket bucket = GridFSBuckets.create(database, "files").withChunkSizeBytes(1024);
    byte[] content = new byte[100_000];
    bucket.uploadFromStream("a", new ByteArrayInputStream(content));
    var read = new ByteArrayOutputStream();
    bucket.downloadToStream("a", read);
    assertThat(read.toByteArray()).isEqualTo(content);
  }

  private static void transaction(MongoClient client, MongoDatabase database) {
    MongoCollection<Document> accounts = database.getCollection("accounts");
    accounts.insertOne(new Document("_id", 0));
    try (var session = client.startSession()) {
      session.withTransaction(
          () -> {
            accounts.insertOne(session, new Document("_id", 1));
            return accounts.insertOne(session, new Document("_id", 2));
          });
    }
    assertThat(accounts.countDocuments()).isEqualTo(3);
  }

  @Test
  void nodeDriver() {
    NodePackages packages = NodePackages.assumeNode();
    Path modules = packages.assumeInstalled("mongodb", DRIVER_VERSION);
    assertPassed(
        packages.script(modules, resource("/node/cluster-driver.js"), cluster.uri()).run(PATIENCE));
  }

  @Test
  void mongosh(@TempDir Path home) {
    NodePackages packages = NodePackages.assumeNode();
    Path modules = packages.assumeInstalled("mongosh", MONGOSH_VERSION);
    assertPassed(
        packages
            .mongosh(modules, home, cluster.uri(), resource("/node/cluster-mongosh.js").toString())
            .run(PATIENCE));
  }

  private static void assertPassed(ScriptResult result) {
    assertThat(result.exitCode()).as(result::text).isZero();
    assertThat(result.stdout()).contains(" checks passed, 0 failed");
  }

  /** The driver of Debian's packages, with the interpreter that they are installed for. */
  @Test
  void debianPythonDriver(@TempDir Path scratch) throws InterruptedException {
    assumeTrue(
        python(scratch, "-c", "import pymongo, gridfs") == 0,
        "needs the Debian packages python3-pymongo and python3-gridfs");
    int code = python(scratch, resource("/python/cluster_driver.py").toString(), cluster.uri());
    assertThat(code).as(() -> read(scratch.resolve("output"))).isZero();
  }

  private static int python(Path scratch, String... arguments) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of(PYTHON));
    command.addAll(List.of(arguments));
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(scratch.resolve("output").toFile())
              .start();
    } catch (IOException missing) {
      return -1;
    }
    try {
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static Path resource(String name) {
    try {
      return Path.of(ClusterDriversTest.class.getResource(name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no resource " + name, e);
    }
  }
}
