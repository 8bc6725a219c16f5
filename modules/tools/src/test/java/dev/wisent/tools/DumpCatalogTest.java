package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Collections that are created, renamed or changed while a dump begins. */
class DumpCatalogTest {
  private static Wisent source;
  private static Wisent target;
  private static MongoDatabase from;
  private static MongoDatabase to;
  private static MongoClient sourceClient;
  private static MongoClient targetClient;

  @TempDir private Path directory;

  @BeforeAll
  static void start() {
    source = Wisent.replicaSet(1);
    target = Wisent.start();
    sourceClient = MongoClients.create(source.uri());
    targetClient = MongoClients.create(target.uri());
    from = sourceClient.getDatabase("shop");
    to = targetClient.getDatabase("shop");
  }

  @AfterAll
  static void stop() {
    sourceClient.close();
    targetClient.close();
    source.close();
    target.close();
  }

  @BeforeEach
  void fill() {
    insert("orders");
  }

  @AfterEach
  void clear() {
    from.drop();
    to.drop();
  }

  private static void insert(String collection) {
    from.getCollection(collection)
        .insertMany(List.of(new Document("_id", 1).append("a", 1), new Document("_id", 2)));
  }

  private static void run(String command) {
    from.runCommand(BsonDocument.parse(command));
  }

  private static void rename(String name, String other) {
    sourceClient
        .getDatabase("admin")
        .runCommand(new Document("renameCollection", "shop." + name).append("to", "shop." + other));
  }

  private void dump(String message, Runnable action, String... more) throws ToolException {
    var tool = new ToolHarness().onMessage(message, action);
    List<String> all = new ArrayList<>(List.of("dump", "--uri", source.uri(), "-v"));
    all.addAll(List.of("-o", directory.toString()));
    all.addAll(List.of(more));
    tool.run(all.toArray(String[]::new));
  }

  private void restore(String... flags) throws ToolException {
    List<String> all = new ArrayList<>(List.of("restore", "--uri", target.uri()));
    all.addAll(List.of(flags));
    all.add(directory.toString());
    new ToolHarness().run(all.toArray(String[]::new));
  }

  private static void assertSame() {
    assertThat(SampleData.hash(targetClient, "shop"))
        .isEqualTo(SampleData.hash(sourceClient, "shop"));
    assertThat(SampleData.definitions(targetClient, "shop"))
        .isEqualTo(SampleData.definitions(sourceClient, "shop"));
  }

  @Test
  void aCollectionThatIsRenamedAfterItWasListed() throws ToolException {
    dump("listed", () -> rename("orders", "other"));
    restore();
    assertThat(to.getCollection("other").countDocuments()).isEqualTo(2);
    assertSame();
  }

  @Test
  void whatIsCreatedAfterItWasListed() throws ToolException {
    dump(
        "listed",
        () -> {
          insert("late");
          run("{createIndexes: 'orders', indexes: [{key: {a: 1}, name: 'a'}]}");
          run("{collMod: 'orders', validator: {a: {$ne: 7}}}");
        });
    restore();
    assertThat(to.getCollection("late").countDocuments()).isEqualTo(2);
    assertSame();
  }

  @Test
  void definitionsThatChangeAllTheTime() {
    var created = new AtomicInteger();
    var tool =
        new ToolHarness().onEachMessage("listed", () -> insert("c" + created.incrementAndGet()));
    assertThatThrownBy(
            () -> tool.run("dump", "--uri", source.uri(), "-v", "-o", directory.toString()))
        .hasMessageContaining("were changed during each of 10 attempts");
    assertThat(created).hasValue(20);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void anOplogThatBeginsBeforeTheList() throws ToolException {
    dump(
        "the dump has the oplog",
        () -> {
          insert("early");
          run("{collMod: 'early', validator: {a: {$ne: 7}}}");
        },
        "--oplog");
    restore("--oplogReplay");
    assertThat(to.getCollection("early").countDocuments()).isEqualTo(2);
    assertSame();
  }

  @Test
  void anIndexThatIsModifiedDuringTheDump() throws ToolException {
    run(
        "{createIndexes: 'orders', indexes: [{key: {a: 1}, name: 'a', expireAfterSeconds: 100000},"
            + " {key: {b: 1}, name: 'b'}]}");
    dump(
        "listed",
        () -> {
          run("{collMod: 'orders', index: {name: 'a', expireAfterSeconds: 200000}}");
          run("{collMod: 'orders', index: {keyPattern: {a: 1}, hidden: true}}");
          run("{collMod: 'orders', index: {name: 'b', hidden: true}}");
          run("{collMod: 'orders', index: {name: 'b', hidden: false}, validator: {a: {$ne: 7}}}");
        },
        "--oplog");
    restore("--oplogReplay");
    assertSame();
  }

  @Test
  void aCollectionThatIsDroppedAndCreatedDuringTheDump() throws ToolException {
    dump(
        "listed",
        () -> {
          from.getCollection("orders").drop();
          run("{create: 'orders', validator: {a: {$ne: 7}}}");
          insert("orders");
        },
        "--oplog");
    restore("--oplogReplay");
    assertSame();
  }
}
