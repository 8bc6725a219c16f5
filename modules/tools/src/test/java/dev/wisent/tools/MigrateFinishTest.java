package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Updates;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The end of a migration from a set, while there are still changes. */
class MigrateFinishTest {
  @RegisterExtension
  static final ServerPair SERVERS =
      new ServerPair(
          () -> Wisent.replicaSet(2, options -> options.setParameter("enableTestCommands", "1")),
          () -> Wisent.start(options -> options.setParameter("enableTestCommands", "1")));

  @AfterEach
  void clear() {
    for (MongoClient each : List.of(SERVERS.from(), SERVERS.to())) {
      each.getDatabase("admin")
          .runCommand(Document.parse("{configureFailPoint: 'failCommand', mode: 'off'}"));
    }
    SERVERS.from().getDatabase("other").drop();
    for (String database : List.of("shop", "wisent_migrate")) {
      SERVERS.to().getDatabase(database).drop();
    }
  }

  private static String[] arguments(String... flags) {
    List<String> all =
        new ArrayList<>(
            List.of("migrate", SERVERS.source().uri(), "--uri=" + SERVERS.target().uri()));
    all.addAll(List.of("-v", "--nsInclude=shop.*", "--finishWhenCaughtUp"));
    all.addAll(List.of(flags));
    return all.toArray(String[]::new);
  }

  private static void insert(String database, String collection) {
    SERVERS.from().getDatabase(database).getCollection(collection).insertOne(new Document());
  }

  @Test
  void changesOfOtherCollectionsDoNotCount() throws ToolException {
    var tool = new ToolHarness().onEachMessage("the end has compared", () -> insert("other", "c"));
    tool.run(arguments());
    assertThat(tool.messages())
        .contains("the migration is complete")
        .doesNotContain("came while the source was compared");
    assertThat(SERVERS.from().getDatabase("other").getCollection("c").countDocuments())
        .isEqualTo(1);
  }

  @Test
  void onlyWhatHasChangedIsComparedAgain() throws ToolException {
    var tool = new ToolHarness().onMessage("the end has compared", () -> insert("shop", "empty"));
    tool.run(arguments());
    assertThat(tool.messages())
        .contains("1 change(s) came while the source was compared")
        .contains("the end has compared 0 collection(s), and 1 document(s) of others")
        .contains("of 7 collection(s) are equal in source and target");
    assertThat(SampleData.hash(SERVERS.to(), "shop"))
        .isEqualTo(SampleData.hash(SERVERS.from(), "shop"));
  }

  @Test
  void theEndDoesNotReadWhatHasNotChanged() throws ToolException {
    Document fail =
        Document.parse(
            "{configureFailPoint: 'failCommand', mode: 'alwaysOn', data: {errorCode: 2,"
                + " failCommands: ['find', 'aggregate', 'getMore'], namespace: 'shop.orders'}}");
    var tool =
        new ToolHarness()
            .onMessage("ready to finish", () -> insert("shop", "empty"))
            .onMessage(
                "finishing",
                () -> {
                  SERVERS.from().getDatabase("admin").runCommand(fail);
                  SERVERS.to().getDatabase("admin").runCommand(fail);
                });
    tool.run(arguments());
    assertThat(tool.messages())
        .contains("the end has compared 0 collection(s)", "the migration is complete");
  }

  @Test
  void whatIsDifferentIsFoundBeforeTheEnd() {
    var tool =
        new ToolHarness()
            .onMessage(
                "following the source",
                () ->
                    SERVERS
                        .to()
                        .getDatabase("shop")
                        .getCollection("orders")
                        .updateOne(new Document("_id", 1_234), Updates.set("text", "other")));
    assertThatThrownBy(() -> tool.run(arguments()))
        .hasMessageContaining("1 collection(s) are different");
    assertThat(tool.messages())
        .contains("the end has compared 0 collection(s), and 1 document(s) of others")
        .contains("shop.orders: _id 1234 is another document; 3");
  }

  @Test
  void anEndThatFailsIsForgotten() throws ToolException {
    var tool =
        new ToolHarness().onEachMessage("the end has compared", () -> insert("shop", "empty"));
    assertThatThrownBy(() -> tool.run(arguments()))
        .hasMessageContaining("the source is still written to: 1 change(s) came")
        .hasMessageContaining("documents from expiring");
    Document state =
        SERVERS.to().getDatabase("wisent_migrate").getCollection("state").find().first();
    assertThat(state).doesNotContainKey("finish").doesNotContainKey("run");
    assertThatThrownBy(
            () -> new ToolHarness().run("migrate", "--finish", "--uri=" + SERVERS.target().uri()))
        .hasMessageContaining("no process runs the migration to this target");
    assertThat(SERVERS.to().getDatabase("wisent_migrate").getCollection("state").find().first())
        .isEqualTo(state);
    assertThat(new ToolHarness().run(arguments()).messages()).contains("the migration is complete");
  }

  @Test
  void brokenConnectionsDuringTheComparisonAreNoFailure() throws ToolException {
    Document fail =
        Document.parse(
            "{configureFailPoint: 'failCommand', mode: {times: 6},"
                + " data: {failCommands: ['find'], closeConnection: true}}");
    var tool =
        new ToolHarness()
            .onMessage(
                "following the source", () -> SERVERS.from().getDatabase("admin").runCommand(fail));
    tool.run(arguments("-j1"));
    assertThat(tool.messages()).contains("the migration is complete");
  }

  @Test
  void comparisonsWaitForLateMembers() throws ToolException {
    SERVERS.from().getDatabase("shop").runCommand(new Document("profile", 2));
    try {
      new ToolHarness().run(arguments());
    } finally {
      SERVERS.from().getDatabase("shop").runCommand(new Document("profile", 0));
    }
    List<Document> reads =
        SERVERS
            .from()
            .getDatabase("shop")
            .getCollection("system.profile")
            .find(Document.parse("{'command.find': {$in: ['orders', 'words']}}"))
            .into(new ArrayList<>());
    SERVERS.from().getDatabase("shop").getCollection("system.profile").drop();
    assertThat(reads)
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThat(each.getEmbedded(List.of("command", "readConcern"), Document.class))
                    .containsKey("afterClusterTime"));
  }

  @Test
  void targetsAreReadFromTheirPrimary() {
    assertThatThrownBy(
            () ->
                new ToolHarness()
                    .run(
                        "migrate",
                        SERVERS.source().uri(),
                        "--uri=" + SERVERS.target().uri() + "&readPreference=secondary"))
        .hasMessageContaining("the target is read from its primary");
  }

  @Test
  void aSetIsTheSameThroughAnotherMember() {
    assertThatThrownBy(
            () ->
                new ToolHarness()
                    .run(
                        "migrate",
                        SERVERS.source().uri() + "&readPreference=secondary",
                        "--uri=" + SERVERS.source().uri(),
                        "--drop"))
        .hasMessageContaining("source and target are the same deployment");
    assertThat(SERVERS.from().getDatabase("shop").getCollection("orders").countDocuments())
        .isEqualTo(3_000);
  }
}
