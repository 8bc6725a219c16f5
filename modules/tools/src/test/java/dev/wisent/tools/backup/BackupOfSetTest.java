package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.Wisent;
import dev.wisent.testkit.Eventually;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of members of a replica set. */
class BackupOfSetTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  @Test
  void aSecondaryHasWhatThePrimaryHas() throws ToolException, IOException {
    var backups = new Backups(directory.resolve("backups"));
    try (Wisent set = Wisent.replicaSet(3);
        MongoClient client = MongoClients.create(set.uri())) {
      String primary = hello(client).getString("me");
      for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 20; j++) {
          client
              .getDatabase("test")
              .getCollection("numbers")
              .withWriteConcern(WriteConcern.W1)
              .insertOne(new Document("_id", i * 20 + j));
        }
        assertThat(backups.make(set.uri())).doesNotContain(primary);
        BackupPart part = backups.newest().parts().getFirst();
        assertThat(part.name()).isEqualTo("rs0");
        assertThat(part.host()).isNotEqualTo(primary);
        BsonDocument position = part.origin().getDocument("position");
        assertThat(position.getNumber("index").longValue()).isPositive();
        assertThat(part.origin().isTimestamp("clusterTime")).isTrue();
        assertThat(part.origin().isString("logGroup")).isTrue();
        Path copy = directory.resolve("copy" + i);
        backups.run("restore", "DIR", "--dbpath=" + copy);
        assertThat(Backups.names(copy))
            .contains("wisent.format", "data/CURRENT", "local/wisent.format", "local/data/CURRENT")
            .allMatch(name -> name.matches("(local/)?(wisent\\.format|data/.*)"));
        int acknowledged = (i + 1) * 20;
        Backups.inspect(
            copy,
            restored -> {
              assertThat(restored.getDatabase("test").getCollection("numbers").countDocuments())
                  .isEqualTo(acknowledged);
              Backups.validate(restored, "test");
            });
      }
      assertThat(backups.make(set.uri(), "--readPreference=primary")).contains(primary);
    }
  }

  /** The primary steps down while it waits for the time of the state, which then comes. */
  @Test
  void aStepDownDuringBackupBegin() throws Exception {
    try (Wisent set = Wisent.replicaSet(3);
        MongoClient client = MongoClients.create(set.uri())) {
      numbers(client).insertOne(new Document("_id", 1));
      String primary = hello(client).getString("me");
      try (MongoClient direct =
          MongoClients.create("mongodb://" + primary + "/?directConnection=true")) {
        var later = new BsonTimestamp((int) (System.currentTimeMillis() / 1_000) + 3_600, 0);
        Document begin = new Document("backupBegin", 1).append("atClusterTime", later);
        CompletableFuture<Document> begun =
            CompletableFuture.supplyAsync(
                () -> direct.getDatabase("admin").runCommand(begin),
                task -> Thread.ofPlatform().start(task));
        Eventually.holds("it waits", PATIENCE, () -> begun.isDone() || isWaiting(direct));
        direct.getDatabase("admin").runCommand(new Document("replSetStepDown", 600));
        Eventually.holds(
            "another one leads",
            PATIENCE,
            () -> !primary.equals(hello(client).getString("primary")));
        insertAfter(later, client);
        Document state = begun.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(state.get("clusterTime", BsonTimestamp.class)).isLessThan(later);
        Document end = new Document("backupEnd", state.get("backup"));
        assertThat(direct.getDatabase("admin").runCommand(end)).containsEntry("ended", true);
      }
    }
  }

  private static boolean isWaiting(MongoClient client) {
    return client
            .getDatabase("admin")
            .aggregate(
                List.of(
                    Document.parse("{$currentOp: {}}"),
                    Document.parse("{$match: {'command.backupBegin': 1, waitingForLock: true}}")))
            .first()
        != null;
  }

  /** Has the set learn that a time has passed. */
  private static void insertAfter(BsonTimestamp time, MongoClient client) {
    var signature =
        new BsonDocument("hash", new BsonBinary(new byte[20])).append("keyId", new BsonInt64(0));
    try (ClientSession session = client.startSession()) {
      session.advanceClusterTime(
          new BsonDocument("clusterTime", new BsonTimestamp(time.getTime(), 1))
              .append("signature", signature));
      numbers(client).insertOne(session, new Document("_id", 2));
    }
  }

  private static MongoCollection<Document> numbers(MongoClient client) {
    return client
        .getDatabase("test")
        .getCollection("numbers")
        .withWriteConcern(WriteConcern.MAJORITY);
  }

  private static Document hello(MongoClient client) {
    return client.getDatabase("admin").runCommand(new Document("hello", 1));
  }
}
