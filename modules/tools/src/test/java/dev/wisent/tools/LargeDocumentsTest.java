package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tools hold no more documents at once than some mebibytes, however large these are. */
class LargeDocumentsTest {
  private static final int DOCUMENTS = 24;
  private static final String LARGE = "x".repeat(1 << 20);

  private static Wisent set;
  private static MongoClient client;
  private static MongoDatabase database;

  @TempDir private Path directory;

  @BeforeAll
  static void start() {
    set = Wisent.replicaSet(1);
    client = MongoClients.create(set.uri());
    database = client.getDatabase("shop");
  }

  @AfterAll
  static void stop() {
    client.close();
    set.close();
  }

  @AfterEach
  void clear() {
    database.runCommand(new Document("profile", 0));
    database.drop();
  }

  private static void fill(String text) {
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      documents.add(new Document("_id", i).append("text", text + i));
    }
    database.getCollection("large").insertMany(documents);
  }

  private static List<Document> profiled(Document filter) {
    database.runCommand(new Document("profile", 0));
    return database.getCollection("system.profile").find(filter).into(new ArrayList<>());
  }

  @Test
  void importsSendSmallBatches() throws ToolException {
    database.runCommand(new Document("profile", 2));
    var input = new StringBuilder();
    for (int i = 0; i < DOCUMENTS; i++) {
      input.append("{\"_id\": %d, \"text\": \"%s\"}\n".formatted(i, LARGE));
    }
    new ToolHarness()
        .input(input.toString())
        .run("import", "--uri=" + set.uri(), "-d=shop", "-c=large");
    assertThat(database.getCollection("large").countDocuments()).isEqualTo(DOCUMENTS);
    assertThat(profiled(new Document("op", "insert")))
        .hasSizeGreaterThan(DOCUMENTS / 6)
        .allSatisfy(
            each ->
                assertThat(each.get("ninserted", Number.class).intValue()).isLessThanOrEqualTo(6));
  }

  @Test
  void dumpsOpenManyCursorsWithSmallBatches() throws ToolException {
    fill(LARGE);
    for (int i = 0; i < 8; i++) {
      database.getCollection("c" + i).insertOne(new Document());
    }
    database.runCommand(new Document("profile", 2));
    new ToolHarness().run("dump", "--uri=" + set.uri(), "-d=shop", "-o=" + directory);
    List<Document> finds = profiled(new Document("command.find", "large"));
    assertThat(finds).hasSize(1);
    assertThat(finds.getFirst().get("nreturned", Number.class).intValue()).isEqualTo(1);
    new ToolHarness().run("restore", "--uri=" + set.uri(), "--drop", directory.toString());
    assertThat(database.getCollection("large").countDocuments()).isEqualTo(DOCUMENTS);
  }

  @Test
  void migrationsApplyChangesInParts() throws ToolException {
    fill("small");
    try (Wisent target = Wisent.start();
        MongoClient to = MongoClients.create(target.uri())) {
      var tool =
          new ToolHarness()
              .onMessage(
                  "following the source",
                  () ->
                      database
                          .getCollection("large")
                          .updateMany(
                              new Document(), new Document("$set", new Document("text", LARGE))));
      tool.run("migrate", set.uri(), "--uri=" + target.uri(), "--finishWhenCaughtUp");
      assertThat(SampleData.hash(to, "shop")).isEqualTo(SampleData.hash(client, "shop"));
    }
  }
}
