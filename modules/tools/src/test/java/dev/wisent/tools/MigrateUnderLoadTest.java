package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Updates;
import dev.wisent.Wisent;
import dev.wisent.testkit.load.MixedLoad;
import dev.wisent.tools.command.ToolException;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A set is moved to another while it is written to, by runs that end in the middle. */
class MigrateUnderLoadTest {
  private static final int DOCUMENTS = 1_000;

  /** Ends a run like a crash: what comes after the message is not done. */
  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static void crash() {
    throw new Crash();
  }

  private static ToolHarness migrate(ToolHarness tool, Wisent from, Wisent to, String... flags)
      throws ToolException {
    List<String> all = new ArrayList<>(List.of("migrate", from.uri(), "--uri=" + to.uri()));
    all.addAll(List.of(flags));
    return tool.run(all.toArray(String[]::new));
  }

  @Test
  void nothingIsMissedByRunsThatEndInTheMiddle() throws ToolException {
    try (Wisent from = Wisent.replicaSet(1);
        Wisent to = Wisent.replicaSet(1);
        MongoClient source = MongoClients.create(from.uri());
        MongoClient target = MongoClients.create(to.uri())) {
      SampleData.fill(source, "shop");
      MixedLoad.fill(source, DOCUMENTS);
      var last = new ToolHarness();
      try (MixedLoad load = MixedLoad.start(source, DOCUMENTS)) {
        load.awaitMore(50);
        assertThatThrownBy(
                () ->
                    migrate(
                        new ToolHarness()
                            .onMessage("copied load.items", MigrateUnderLoadTest::crash),
                        from,
                        to))
            .isInstanceOf(Crash.class);
        load.awaitMore(50);
        // Between the changes and the note that they are applied.
        assertThatThrownBy(
                () ->
                    migrate(
                        new ToolHarness().onMessage("applied a batch", MigrateUnderLoadTest::crash),
                        from,
                        to,
                        "-vv"))
            .isInstanceOf(Crash.class);
        load.awaitMore(50);
        last.onMessage(
            "following the source",
            () -> {
              load.awaitMore(100);
              load.close();
              finish(to);
            });
        migrate(last, from, to, "-vv");
      }
      assertThat(last.messages()).contains("the migration is complete");
      assertSame(source, target);
      assertThat(target.listDatabaseNames()).doesNotContain("wisent_migrate");
      // Enter is pressed before anything is copied.
      var another = new ToolHarness().onTerminal().input("\n");
      migrate(another, from, to, "--drop");
      assertThat(another.messages()).contains("following the source", "the migration is complete");
      assertSame(source, target);
    }
  }

  private static void assertSame(MongoClient source, MongoClient target) {
    for (String database : List.of("shop", "load")) {
      assertThat(SampleData.hash(target, database)).isEqualTo(SampleData.hash(source, database));
      assertThat(SampleData.definitions(target, database))
          .isEqualTo(SampleData.definitions(source, database));
    }
  }

  @Test
  @Tag("faults")
  void aClusterIsMovedToOneThatIsShardedOtherwise() throws ToolException {
    try (Wisent from = Wisent.cluster(2);
        Wisent to = Wisent.cluster(2);
        MongoClient source = MongoClients.create(from.uri());
        MongoClient target = MongoClients.create(to.uri())) {
      shard(source, "bank.accounts", new Document("_id", 1));
      BankLoad.fill(source);
      source
          .getDatabase("admin")
          .runCommand(
              new Document("split", "bank.accounts").append("middle", new Document("_id", 500)));
      shard(target, "bank.accounts", new Document("_id", "hashed"));
      shard(target, "bank.log", new Document("from", 1));
      var tool = new ToolHarness();
      try (BankLoad load = BankLoad.start(source)) {
        load.also(
            () -> {
              var log = source.getDatabase("bank").getCollection("log");
              log.updateMany(new Document("from", 17), Updates.inc("from", 1));
              log.updateMany(new Document("from", 18), Updates.inc("from", -1));
            });
        load.awaitMore(20);
        var first = new ToolHarness().onMessage("copied bank.log", MigrateUnderLoadTest::crash);
        assertThatThrownBy(() -> migrate(first, from, to)).isInstanceOf(Crash.class);
        assertThat(first.messages()).contains("warning  bank.accounts: is sharded by");
        load.awaitMore(20);
        tool.onMessage(
            "following the source",
            () -> {
              load.awaitMore(20);
              load.close();
              finish(to);
            });
        migrate(tool, from, to);
      }
      assertThat(tool.messages())
          .contains("going on with the migration of an earlier run")
          .contains("the migration is complete");
      assertThat(BankLoad.now(target)).isEqualTo(BankLoad.now(source));
    }
  }

  @Test
  @Tag("faults")
  void electionsAreWaitedFor() throws ToolException {
    try (Wisent from = Wisent.replicaSet(3);
        Wisent to = Wisent.replicaSet(3);
        MongoClient source = MongoClients.create(from.uri());
        MongoClient target = MongoClients.create(to.uri())) {
      MixedLoad.fill(source, DOCUMENTS);
      var tool = new ToolHarness();
      try (MixedLoad load = MixedLoad.start(source, DOCUMENTS)) {
        tool.onMessage(
            "copying load.items",
            () -> {
              stepDown(source);
              stepDown(target);
            });
        tool.onMessage(
            "following the source",
            () -> {
              load.awaitMore(50);
              stepDown(target);
              stepDown(source);
              load.awaitMore(50);
              load.close();
              finish(to);
            });
        migrate(tool, from, to, "-v");
      }
      assertThat(tool.messages()).contains("the migration is complete");
      assertThat(SampleData.hash(target, "load")).isEqualTo(SampleData.hash(source, "load"));
    }
  }

  private static void stepDown(MongoClient client) {
    client
        .getDatabase("admin")
        .runCommand(Document.parse("{replSetStepDown: 20, secondaryCatchUpPeriodSecs: 10}"));
  }

  private static void shard(MongoClient client, String namespace, Document key) {
    client
        .getDatabase("admin")
        .runCommand(new Document("shardCollection", namespace).append("key", key));
  }

  private static void finish(Wisent to) {
    try {
      new ToolHarness().run("migrate", "--finish", "--uri=" + to.uri());
    } catch (ToolException e) {
      throw new AssertionError(e);
    }
  }
}
