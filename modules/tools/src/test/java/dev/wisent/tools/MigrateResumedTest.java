package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Runs that go on after one that has ended at an awkward moment. */
class MigrateResumedTest {
  private static final int DOCUMENTS = 100;

  /** Ends a run like a crash: what comes after the message is not done. */
  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static void crashAt(String message, String... arguments) {
    var tool = new ToolHarness();
    tool.onMessage(
        message,
        () -> {
          throw new Crash();
        });
    assertThatThrownBy(() -> tool.run(arguments)).isInstanceOf(Crash.class);
  }

  @Test
  void documentsThatBelongToAnotherShardByNowAreNotThereTwice() throws ToolException {
    try (Wisent from = Wisent.start();
        Wisent to = Wisent.cluster(2);
        MongoClient source = MongoClients.create(from.uri());
        MongoClient target = MongoClients.create(to.uri())) {
      MongoCollection<Document> log = source.getDatabase("bank").getCollection("log");
      List<Document> documents = new ArrayList<>();
      for (int i = 0; i < DOCUMENTS; i++) {
        documents.add(new Document("_id", i).append("from", i));
      }
      log.insertMany(documents);
      target
          .getDatabase("admin")
          .runCommand(Document.parse("{shardCollection: 'bank.log', key: {from: 'hashed'}}"));
      String[] arguments = {"migrate", from.uri(), "--uri=" + to.uri(), "--noFollow", "-j1"};
      crashAt("copied bank.log", arguments);
      // As if it had ended before it noted that.
      target
          .getDatabase("wisent_migrate")
          .getCollection("collections")
          .updateOne(
              new Document("ns", "bank.log"),
              Updates.combine(Updates.set("copied", false), Updates.unset("last")));
      log.updateMany(new Document(), Updates.inc("from", 10_000));
      var tool = new ToolHarness().run(arguments);
      assertThat(tool.messages()).contains("100 document(s) of 1 collection(s) are equal");
      MongoCollection<Document> copy = target.getDatabase("bank").getCollection("log");
      assertThat(copy.find().sort(new Document("_id", 1)).into(new ArrayList<>()))
          .isEqualTo(log.find().sort(new Document("_id", 1)).into(new ArrayList<>()));
    }
  }

  @Test
  void anEndThatFailedLateLeavesNoUniqueIndexes() throws ToolException {
    try (Wisent from = Wisent.replicaSet(1);
        Wisent to = Wisent.replicaSet(1);
        MongoClient source = MongoClients.create(from.uri());
        MongoClient target = MongoClients.create(to.uri())) {
      for (String command :
          List.of(
              "{createIndexes: 'c', indexes: [{key: {u: 1}, name: 'u', unique: true},"
                  + " {key: {at: 1}, name: 'ttl', expireAfterSeconds: 1000}]}",
              "{insert: 'c', documents: [{_id: 1, u: 1}, {_id: 2, u: 2}]}")) {
        source.getDatabase("shop").runCommand(BsonDocument.parse(command));
      }
      String[] arguments = {"migrate", from.uri(), "--uri=" + to.uri(), "--finishWhenCaughtUp"};
      crashAt("following the source", arguments);
      for (String index :
          List.of(
              "{name: 'u', prepareUnique: true}",
              "{name: 'u', unique: true}",
              "{name: 'ttl', expireAfterSeconds: 1000}")) {
        target
            .getDatabase("shop")
            .runCommand(BsonDocument.parse("{collMod: 'c', index: " + index + "}"));
      }
      MongoCollection<Document> collection = source.getDatabase("shop").getCollection("c");
      for (int[] each : new int[][] {{1, 3}, {2, 1}, {1, 2}}) {
        collection.updateOne(new Document("_id", each[0]), Updates.set("u", each[1]));
      }
      List<Document> following = new ArrayList<>();
      var tool =
          new ToolHarness()
              .onMessage("following the source", () -> following.addAll(indexes(target)));
      tool.run(arguments);
      assertThat(following)
          .filteredOn(each -> each.getString("name").equals("ttl"))
          .allSatisfy(
              each ->
                  assertThat(each.get("expireAfterSeconds", Number.class).longValue())
                      .isEqualTo(Integer.MAX_VALUE));
      assertThat(tool.messages()).contains("the migration is complete");
      assertThat(SampleData.hash(target, "shop")).isEqualTo(SampleData.hash(source, "shop"));
      assertThat(SampleData.definitions(target, "shop"))
          .isEqualTo(SampleData.definitions(source, "shop"));
    }
  }

  private static List<Document> indexes(MongoClient client) {
    return client.getDatabase("shop").getCollection("c").listIndexes().into(new ArrayList<>());
  }

  @Test
  void theDriverRepeatsNoWritesOfDocuments() throws ToolException {
    try (Wisent from = Wisent.start();
        Wisent to = Wisent.replicaSet(1);
        MongoClient source = MongoClients.create(from.uri());
        MongoClient target = MongoClients.create(to.uri())) {
      SampleData.fill(source, "shop");
      target.getDatabase("shop").runCommand(new Document("profile", 2));
      new ToolHarness().run("migrate", from.uri(), "--uri=" + to.uri(), "--noFollow");
      List<Document> writes =
          target
              .getDatabase("shop")
              .getCollection("system.profile")
              .find(Document.parse("{op: 'insert'}"))
              .into(new ArrayList<>());
      assertThat(writes)
          .isNotEmpty()
          .allSatisfy(
              each ->
                  assertThat(each.get("command", Document.class)).doesNotContainKey("txnNumber"));
    }
  }
}
