package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Updates;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** From one node, which has no change streams, to another that runs no functions in JavaScript. */
class MigrateTest {
  @RegisterExtension
  static final ServerPair SERVERS =
      new ServerPair(Wisent::start, () -> Wisent.start(options -> options.scripting(false)));

  @AfterEach
  void clear() {
    SERVERS.from().getDatabase("other").drop();
    for (String database : SERVERS.to().listDatabaseNames()) {
      if (!List.of("admin", "config", "local").contains(database)) {
        SERVERS.to().getDatabase(database).drop();
      }
    }
  }

  private static String[] arguments(String... flags) {
    List<String> all =
        new ArrayList<>(
            List.of("migrate", SERVERS.source().uri(), "--uri=" + SERVERS.target().uri()));
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
    assertThat(SampleData.hash(SERVERS.to(), "shop"))
        .isEqualTo(SampleData.hash(SERVERS.from(), "shop"));
    assertThat(SampleData.definitions(SERVERS.to(), "shop"))
        .isEqualTo(SampleData.definitions(SERVERS.from(), "shop"));
    assertThat(SERVERS.to().listDatabaseNames())
        .doesNotContain("wisent_migrate", "wisent_migrate_trial");
    // The same command again has nothing of an earlier run, but finds what that has made.
    failing("the target has shop.", "--noFollow");
    assertThat(migrate("--noFollow", "--drop", "--verify=counts")).contains("(counted)");
  }

  @Test
  void theCheckNamesWhatStandsAgainstIt() {
    run(SERVERS.from(), "other", "{profile: 2}");
    run(SERVERS.from(), "other", "{insert: 'c', documents: [{_id: 1, a: 1}]}");
    run(SERVERS.from(), "other", "{find: 'c', filter: {$where: 'true'}}");
    run(SERVERS.from(), "other", "{update: 'c', updates: [{q: {a: {$gt: 0}}, u: {$inc: {a: 1}}}]}");
    run(SERVERS.from(), "other", "{profile: 0}");
    run(
        SERVERS.from(),
        "other",
        "{create: 'v', viewOn: 'c', pipeline: [{$set: {f: {$function: {body: 'function() {}',"
            + " args: [], lang: 'js'}}}}]}");
    String messages = failing("2 finding(s) stand against it, 1 warning(s)", "--check");
    assertThat(messages)
        .contains("refused  source: a single server without --replSet")
        .contains("refused  other.v: the view")
        .contains("warning  other: find with $where, 1 time(s) in the profile:")
        .doesNotContain("update");
    assertThat(SERVERS.to().listDatabaseNames()).doesNotContain("wisent_migrate_trial");
    failing("stand against it", "--noFollow");
    assertThat(SERVERS.to().listDatabaseNames()).doesNotContain("other", "shop");
  }

  @Test
  void namesAreLeftOut() throws ToolException {
    run(SERVERS.from(), "other", "{insert: 'c', documents: [{_id: 1}]}");
    assertThat(migrate("--noFollow", "--nsInclude=other.*", "--nsInclude=shop.o*"))
        .contains("3001 document(s) of 2 collection(s)");
    assertThat(SERVERS.to().getDatabase("shop").listCollectionNames()).containsExactly("orders");
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
                  var orders = SERVERS.to().getDatabase("shop").getCollection("orders");
                  orders.updateOne(new Document("_id", 1_234), Updates.set("text", "other"));
                  SERVERS
                      .to()
                      .getDatabase("shop")
                      .getCollection("words")
                      .deleteMany(new Document());
                });
    assertThatThrownBy(() -> tool.run(arguments("--noFollow")))
        .hasMessageContaining("2 collection(s) are different");
    assertThat(tool.messages())
        .contains("shop.orders: _id 1234 is another document; 3000 documents in the source, 3000")
        .contains("shop.words: _id 1 is missing; 1 documents in the source, 0 in the target");
    // What is there is of this migration: it is neither copied again nor refused.
    failing("2 collection(s) are different", "--noFollow");
    assertThat(migrate("--noFollow", "--restart")).contains("the migration is complete");
    assertThat(SampleData.hash(SERVERS.to(), "shop"))
        .isEqualTo(SampleData.hash(SERVERS.from(), "shop"));
  }

  @Test
  void whatIsInTheWayStays() throws ToolException {
    run(SERVERS.to(), "shop", "{insert: 'latest', documents: [{_id: 1}]}");
    failing("the target has shop.latest already", "--noFollow");
    assertThat(SERVERS.to().getDatabase("shop").listCollectionNames()).containsExactly("latest");
    assertThat(migrate("--noFollow", "--drop")).contains("the migration is complete");
    assertThat(SampleData.definitions(SERVERS.to(), "shop"))
        .isEqualTo(SampleData.definitions(SERVERS.from(), "shop"));
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
                      .run("migrate", other.uri(), "--uri=" + SERVERS.target().uri(), "--noFollow"))
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
    assertThat(SERVERS.to().getDatabase("shop").listCollectionNames()).doesNotContain("orders");
  }

  @Test
  void aCopyThatIsDroppedBeforeItIsForgottenIsMadeAgain() throws ToolException {
    var tool = new ToolHarness();
    tool.onMessage("copied shop.words", () -> tool.interruption().request());
    assertThatThrownBy(() -> tool.run(arguments("--noFollow", "-j1"))).hasMessage("interrupted");
    // As if the source had got options that only another collection can have.
    SERVERS
        .to()
        .getDatabase("wisent_migrate")
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
    assertThat(SERVERS.to().getDatabase("shop").listCollectionNames()).doesNotContain("words");
    assertThat(migrate("--noFollow")).contains("the migration is complete");
    assertThat(SampleData.hash(SERVERS.to(), "shop"))
        .isEqualTo(SampleData.hash(SERVERS.from(), "shop"));
    assertThat(SampleData.definitions(SERVERS.to(), "shop"))
        .isEqualTo(SampleData.definitions(SERVERS.from(), "shop"));
  }

  @Test
  void anEmptyCollectionGetsTheOptionsOfTheSource() throws ToolException {
    run(SERVERS.to(), "shop", "{create: 'words'}");
    run(SERVERS.to(), "shop", "{create: 'checked', validationAction: 'warn'}");
    failing("shop.words already, which is empty, with options that cannot be made", "--noFollow");
    assertThat(SERVERS.to().listDatabaseNames()).doesNotContain("wisent_migrate");
    migrate("--noFollow", "--drop");
    assertThat(options(SERVERS.to(), "words")).isEqualTo(options(SERVERS.from(), "words"));
    assertThat(options(SERVERS.to(), "checked"))
        .containsAllEntriesOf(options(SERVERS.from(), "checked"));
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
    run(SERVERS.to(), "shop", "{create: 'orders'}");
    Object uuid = uuidOfOrders();
    var tool = new ToolHarness();
    tool.onMessage("copied shop.orders", () -> tool.interruption().request());
    assertThatThrownBy(() -> tool.run(arguments("--noFollow", "-j1"))).hasMessage("interrupted");
    migrate("--noFollow", "--restart");
    assertThat(uuidOfOrders()).isEqualTo(uuid);
    assertThat(SampleData.hash(SERVERS.to(), "shop"))
        .isEqualTo(SampleData.hash(SERVERS.from(), "shop"));
    assertThat(SampleData.definitions(SERVERS.to(), "shop"))
        .isEqualTo(SampleData.definitions(SERVERS.from(), "shop"));
  }

  private static Object uuidOfOrders() {
    return SERVERS
        .to()
        .getDatabase("shop")
        .listCollections()
        .filter(new Document("name", "orders"))
        .first()
        .get("info", Document.class)
        .get("uuid");
  }

  @Test
  void wrongCommandLinesAreRefused() {
    failing(
        "source and target are the same deployment",
        "--noFollow",
        "--uri=" + SERVERS.source().uri());
    failing("--check and --drop exclude each other", "--check", "--drop");
    failing("--check and --verify exclude each other", "--check", "--verify=counts");
    failing("--finish and --nsInclude exclude each other", "--finish", "--nsInclude=a.*");
    failing("--nsFrom is not supported", "--nsFrom=a.*");
    failing("needs only the target", "--finish");
    assertThatThrownBy(() -> new ToolHarness().run("migrate", "--uri=" + SERVERS.target().uri()))
        .hasMessageContaining("the connection string of the source is missing");
    assertThatThrownBy(
            () -> new ToolHarness().run("migrate", "--finish", "--uri=" + SERVERS.target().uri()))
        .hasMessageContaining("there is no migration to this target");
  }
}
