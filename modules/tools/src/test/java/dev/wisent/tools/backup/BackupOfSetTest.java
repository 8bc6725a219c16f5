package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of members of a replica set. */
class BackupOfSetTest {
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

  private static Document hello(MongoClient client) {
    return client.getDatabase("admin").runCommand(new Document("hello", 1));
  }
}
