package dev.wisent.conformance.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.Wisent;
import dev.wisent.server.ServerOptions;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.ProcessOptions;
import dev.wisent.testkit.ServerProcess;
import dev.wisent.testkit.ToolProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tool or the server is killed in the middle of backups and restores: a backup is there
 * completely or not at all, and the earlier ones stay what they are.
 */
@Tag("faults")
class KilledBackupTest {
  private static final int ROUNDS = Integer.getInteger("wisent.backup.rounds", 6);
  private static final long SEED = Long.getLong("wisent.seed", 1);
  private static final int DOCUMENTS = 500;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Random random = new Random(SEED);
  private Path directory;
  private int tools;

  @Test
  void eachBackupIsCompleteOrNotThere(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path temporary)
      throws IOException {
    directory = temporary;
    ServerProcess server = ServerProcess.start(ProcessOptions.in(directory.resolve("data")));
    try {
      for (int round = 0; round < ROUNDS; round++) {
        insert(server.uri(), round);
        List<String> before = ids();
        long files = stored() + random.nextInt(8);
        try (ToolProcess tool = tool("backup", "--uri=" + server.uri(), "--out=" + backups())) {
          Eventually.holds("files", PATIENCE, () -> !tool.running() || stored() > files);
          if (round % 3 == 2) {
            server.kill();
            tool.await(PATIENCE);
            server = ServerProcess.start(server.options());
            assertThat(directory.resolve("data/_backup")).doesNotExist();
          } else {
            tool.kill();
          }
        }
        assertThat(ids()).containsAll(before);
        run("backup", "--uri=" + server.uri(), "--out=" + backups());
        restoreKilled(round);
        assertThat(run("backup", "verify", backups().toString())).contains("as they were made");
      }
      List<String> all = ids();
      assertThat(all).hasSizeGreaterThanOrEqualTo(ROUNDS);
      assertThat(count(restored("last", all.getLast()))).isEqualTo((long) ROUNDS * DOCUMENTS);
      assertThat(count(restored("first", all.getFirst()))).isEqualTo(DOCUMENTS);
    } finally {
      server.close();
    }
  }

  private Path backups() {
    return directory.resolve("backups");
  }

  /** How many files the directory has; they come and go meanwhile. */
  private long stored() {
    String[] groups = backups().resolve("files").toFile().list();
    long count = 0;
    for (String group : groups == null ? new String[0] : groups) {
      String[] files = backups().resolve("files").resolve(group).toFile().list();
      count += files == null ? 0 : files.length;
    }
    return count;
  }

  private List<String> ids() throws IOException {
    Path manifests = backups().resolve("backups");
    if (!Files.exists(manifests)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(manifests)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".json"))
          .map(name -> name.replace(".json", ""))
          .sorted()
          .toList();
    }
  }

  /** A restore that is killed can be repeated, or was complete. */
  private void restoreKilled(int round) {
    Path copy = directory.resolve("killed" + round);
    try (ToolProcess tool = tool("backup", "restore", backups().toString(), "--dbpath=" + copy)) {
      Eventually.holds(
          "a restore that has begun", PATIENCE, () -> !tool.running() || Files.exists(copy));
      tool.kill();
    }
    if (!Files.exists(copy.resolve("wisent.format"))) {
      run("backup", "restore", backups().toString(), "--dbpath=" + copy);
    }
    assertThat(count(copy)).isEqualTo((round + 1L) * DOCUMENTS);
  }

  private Path restored(String name, String backup) {
    Path copy = directory.resolve(name);
    run("backup", "restore", backups().toString(), "--backup=" + backup, "--dbpath=" + copy);
    return copy;
  }

  private static long count(Path dbPath) {
    try (Wisent server = Wisent.start(ServerOptions.builder(dbPath).port(0).build());
        MongoClient client = MongoClients.create(server.uri())) {
      Document valid =
          client
              .getDatabase("test")
              .runCommand(new Document("validate", "items").append("full", true));
      assertThat(valid.getBoolean("valid")).as(valid.toJson()).isTrue();
      return client.getDatabase("test").getCollection("items").countDocuments();
    }
  }

  private void insert(String uri, int round) {
    try (MongoClient client = MongoClients.create(uri)) {
      MongoCollection<Document> items = client.getDatabase("test").getCollection("items");
      List<Document> documents = new ArrayList<>();
      for (int i = 0; i < DOCUMENTS; i++) {
        byte[] noise = new byte[2_000];
        random.nextBytes(noise);
        documents.add(new Document("_id", round * DOCUMENTS + i).append("noise", noise));
      }
      items.insertMany(documents);
      items.createIndex(new Document("noise", 1));
    }
  }

  private ToolProcess tool(String... arguments) {
    return ToolProcess.start(directory.resolve("tool" + tools++ + ".log"), arguments);
  }

  private String run(String... arguments) {
    try (ToolProcess tool = tool(arguments)) {
      return tool.succeed(PATIENCE);
    }
  }
}
