package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that cannot be reached for a moment. */
class BackupOutageTest {
  @TempDir private Path directory;

  @Test
  void readsThatBreakAreRepeated() throws ToolException {
    try (Wisent set =
            Wisent.replicaSet(1, options -> options.setParameter("enableTestCommands", "1"));
        MongoClient client = MongoClients.create(set.uri())) {
      client.getDatabase("shop").getCollection("orders").insertOne(new Document());
      client
          .getDatabase("admin")
          .runCommand(
              Document.parse(
                  "{configureFailPoint: 'failCommand', mode: {times: 4},"
                      + " data: {failCommands: ['backupRead'], closeConnection: true}}"));
      assertThat(new Backups(directory).make(set.uri())).doesNotContain("breaks");
    }
  }
}
