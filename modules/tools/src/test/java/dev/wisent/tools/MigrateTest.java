package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Updates;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** From one node, which has no change streams, to another that runs no functions in JavaScript. */
class MigrateTest {
  private static Wisent source;
  private static Wisent target;
  private static MongoClient from;
  private static MongoClient to;

  @BeforeAll
  static void start() {
    source = Wisent.start();
    target = Wisent.start(options -> options.scripting(false));
    from = MongoClients.create(source.uri());
    to = MongoClients.create(target.uri());
    SampleData.fill(from, "shop");
  }

  @AfterAll
  static void stop() {
    from.close();
    to.close();
    source.close();
    target.close();
  }

  @AfterEach
  void clear() {
    from.getDatabase("other").drop();
    for (String database : to.listDatabaseNames()) {
      if (!List.of("admin", "config", "local").contains(database)) {
        to.getDatabase(database).drop();
      }
    }
  }

  private static String[] arguments(String... flags) {
    List<String> all = new ArrayList<>(List.of("migrate", source.uri(), "--uri=" + target.uri()));
    all.addAll(List.of(flags));
    return all.toArray(String[]::new);
  }

  private static String migrate(String... flags) throws ToolException {
    return new ToolHarness().run(arguments(flags)).messages();
  }

  private static String failing(String message, String... flags) {
    var tool = new ToolHarness();
    assertThatThrownBy(() -> tool.run(arguments(flags))).hasMessageContaining(message);
    return tool.messages();
  }

  private static void run(MongoClient client, String database, String command) {
    client.getDatabase(database).runCommand(BsonDocument.parse(command));
  }

  @Test
  void collectionsIndexesAndViewsAreCopied() throws ToolException {
    assertThat(migrate("--noFollow"))
        .contains("nothing stands against it")
        .contains("3008 document(s) of 7 collection(s) are equal in source and target")
        .contains("the migration is complete");
    assertThat(SampleData.hash(to, "shop")).isEqualTo(SampleData.hash(from, "shop"));
    assertThat(SampleData.definitions(to, "shop")).isEqualTo(SampleData.definitions(from, "shop"));
    assertThat(to.listDatabaseNames()).doesNotContain("wisent_migrate", "wisent_migrate_trial");
    // The same command again has nothing of an earlier run, but finds what that has made.
    failing("the target has shop.", "--noFollow");
    assertThat(migrate("--noFollow", "--drop", "--verify=counts")).contains("(counted)");
  }

  @Test
  void theCheckNamesWhatStandsAgainstIt() {
    run(from, "other", "{profile: 2}");
    run(from, "other", "{insert: 'c', documents: [{_id: 1, a: 1}]}");
    run(from, "other", "{find: 'c', filter: {$where: 'true'}}");
    run(from, "other", "{update: 'c', updates: [{q: {a: {$gt: 0}}, u: {$inc: {a: 1}}}]}");
    run(from, "other", "{profile: 0}");
    run(
        from,
        "other",
        "{create: 'v', viewOn: 'c', pipeline: [{$set: {f: {$function: {body: 'function() {}',"
            + " args: [], lang: 'js'}}}}]}");
    String messages = failing("2 finding(s) stand against it, 1 warning(s)", "--check");
    assertThat(messages)
        .contains("refused  source: a single server without --replSet")
        .contains("refused  other.v: the view")
        .contains("warning  other: find with $where, 1 time(s) in the profile:")
        .doesNotContain("update");
    assertThat(to.listDatabaseNames()).doesNotContain("wisent_migrate_trial");
    failing("stand against it", "--noFollow");
    assertThat(to.listDatabaseNames()).doesNotContain("other", "shop");
  }

  @Test
  void namesAreLeftOut() throws ToolException {
    run(from, "other", "{insert: 'c', documents: [{_id: 1}]}");
    assertThat(migrate("--noFollow", "--nsInclude=other.*", "--nsInclude=shop.o*"))
        .contains("3001 document(s) of 2 collection(s)");
    assertThat(to.getDatabase("shop").listCollectionNames()).containsExactly("orders");
    clear();
    assertThat(migrate("--noFollow", "--nsExclude=shop.*", "--nsExclude=other.c"))
        .contains("0 document(s) of 0 collection(s)");
  }

  @Test
  void aDifferenceIsNamed() throws ToolException {
    var tool =
        new ToolHarness()
            .onMessage(
                "finishing",
                () -> {
                  var orders = to.getDatabase("shop").getCollection("orders");
                  orders.updateOne(new Document("_id", 1_234), Updates.set("text", "other"));
                  to.getDatabase("shop").getCollection("words").deleteMany(new Document());
                });
    assertThatThrownBy(() -> tool.run(arguments("--noFollow")))
        .hasMessageContaining("2 collection(s) are different");
    assertThat(tool.messages())
        .contains("shop.orders: _id 1234 is another document; 3000 documents in the source, 3000")
        .contains("shop.words: _id 1 is missing; 1 documents in the source, 0 in the target");
    // What is there is of this migration: it is neither copied again nor refused.
    failing("2 collection(s) are different", "--noFollow");
    assertThat(migrate("--noFollow", "--restart")).contains("the migration is complete");
    assertThat(SampleData.hash(to, "shop")).isEqualTo(SampleData.hash(from, "shop"));
  }

  @Test
  void whatIsInTheWayStays() throws ToolException {
    run(to, "shop", "{insert: 'latest', documents: [{_id: 1}]}");
    failing("the target has shop.latest already", "--noFollow");
    assertThat(to.getDatabase("shop").listCollectionNames()).containsExactly("latest");
    assertThat(migrate("--noFollow", "--drop")).contains("the migration is complete");
    assertThat(SampleData.definitions(to, "shop")).isEqualTo(SampleData.definitions(from, "shop"));
  }

  @Test
  void anotherMigrationIsNotGoneOnWith() {
    var tool = new ToolHarness();
    tool.onMessage("copied shop.words", () -> tool.interruption().request());
    assertThatThrownBy(() -> tool.run(arguments("--noFollow", "-j1"))).hasMessage("interrupted");
    try (Wisent other = Wisent.start()) {
      assertThatThrownBy(
              () ->
                  new ToolHarness()
                      .run("migrate", other.uri(), "--uri=" + target.uri(), "--noFollow"))
          .hasMessageContaining("the state of another migration");
    }
  }

  @Test
  void whatIsMovedMayChangeInTheMiddle() throws ToolException {
    var tool = new ToolHarness();
    tool.onMessage("copied shop.orders", () -> tool.interruption().request());
    assertThatThrownBy(() -> tool.run(arguments("--noFollow", "-j1"))).hasMessage("interrupted");
    assertThat(migrate("--noFollow", "--nsExclude=shop.orders", "--nsExclude=shop.latest"))
        .contains("going on with the migration of an earlier run")
        .contains("8 document(s) of 6 collection(s) are equal");
    assertThat(to.getDatabase("shop").listCollectionNames()).doesNotContain("orders");
  }

  @Test
  void aCopyThatIsDroppedBeforeItIsForgottenIsMadeAgain() throws ToolException {
    var tool = new ToolHarness();
    tool.onMessage("copied shop.words", () -> tool.interruption().request());
    assertThatThrownBy(() -> tool.run(arguments("--noFollow", "-j1"))).hasMessage("interrupted");
    // As if the source had got options that only another collection can have.
    to.getDatabase("wisent_migrate")
        .getCollection("collections")
        .updateOne(new Document("ns", "shop.words"), Updates.set("options", "{\"collation\": {}}"));
    var killed =
        new ToolHarness()
            .onMessage(
                "dropped shop.words",
                () -> {
                  throw new IllegalStateException("killed");
                });
    assertThatThrownBy(() -> killed.run(arguments("--noFollow", "-v"))).hasMessage("killed");
    assertThat(to.getDatabase("shop").listCollectionNames()).doesNotContain("words");
    assertThat(migrate("--noFollow")).contains("the migration is complete");
    assertThat(SampleData.hash(to, "shop")).isEqualTo(SampleData.hash(from, "shop"));
    assertThat(SampleData.definitions(to, "shop")).isEqualTo(SampleData.definitions(from, "shop"));
  }

  @Test
  void anEmptyCollectionGetsTheOptionsOfTheSource() throws ToolException {
    run(to, "shop", "{create: 'words'}");
    run(to, "shop", "{create: 'checked', validationAction: 'warn'}");
    failing("shop.words already, which is empty, with options that cannot be made", "--noFollow");
    assertThat(to.listDatabaseNames()).doesNotContain("wisent_migrate");
    migrate("--noFollow", "--drop");
    assertThat(options(to, "words")).isEqualTo(options(from, "words"));
    assertThat(options(to, "checked")).containsAllEntriesOf(options(from, "checked"));
  }

  private static Document options(MongoClient client, String collection) {
    return client
        .getDatabase("shop")
        .listCollections()
        .filter(new Document("name", collection))
        .first()
        .get("options", Document.class);
  }

  @Test
  void anEmptyCollectionStaysTheSameWhenTheMigrationBeginsAnew() throws ToolException {
    run(to, "shop", "{create: 'orders'}");
    Object uuid = uuidOfOrders();
    var tool = new ToolHarness();
    tool.onMessage("copied shop.orders", () -> tool.interruption().request());
    assertThatThrownBy(() -> tool.run(arguments("--noFollow", "-j1"))).hasMessage("interrupted");
    migrate("--noFollow", "--restart");
    assertThat(uuidOfOrders()).isEqualTo(uuid);
    assertThat(SampleData.hash(to, "shop")).isEqualTo(SampleData.hash(from, "shop"));
    assertThat(SampleData.definitions(to, "shop")).isEqualTo(SampleData.definitions(from, "shop"));
  }

  private static Object uuidOfOrders() {
    return to.getDatabase("shop")
        .listCollections()
        .filter(new Document("name", "orders"))
        .first()
        .get("info", Document.class)
        .get("uuid");
  }

  @Test
  void wrongCommandLinesAreRefused() {
    failing("source and target are the same deployment", "--noFollow", "--uri=" + source.uri());
    failing("--check and --drop exclude each other", "--check", "--drop");
    failing("--nsFrom is not supported", "--nsFrom=a.*");
    failing("needs only the target", "--finish");
    assertThatThrownBy(() -> new ToolHarness().run("migrate", "--uri=" + target.uri()))
        .hasMessageContaining("the connection string of the source is missing");
    assertThatThrownBy(() -> new ToolHarness().run("migrate", "--finish", "--uri=" + target.uri()))
        .hasMessageContaining("there is no migration to this target");
  }
}
