package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import dev.wisent.tools.ToolHarness;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that gives up the state in the middle of a backup, because its disk is full. */
class BackupOnFullDiskTest {
  private static final int OUT_OF_DISK_SPACE = 14031;

  @Test
  void theEarlierBackupStays(@TempDir Path directory) throws ToolException, IOException {
    var backups = new Backups(directory);
    try (Wisent server = Wisent.start(options -> options.setParameter("enableTestCommands", "1"));
        MongoClient client = MongoClients.create(server.uri())) {
      client.getDatabase("test").getCollection("c").insertOne(new Document());
      backups.make(server.uri());
      client.getDatabase("test").getCollection("c").insertOne(new Document());
      var harness = new ToolHarness();
      harness.onMessage("reading the state of", () -> failReads(client, "'alwaysOn'"));
      assertThatThrownBy(() -> backups.run(harness, "--out=DIR", "--uri=" + server.uri()))
          .isInstanceOfSatisfying(ToolException.class, e -> assertThat(e.isOfOptions()).isFalse())
          .hasMessageContaining("the server has given up the state: its disk is full")
          .hasMessageContaining("OutOfDiskSpace")
          .hasMessageContaining("The earlier backups are as they were");
      failReads(client, "'off'");
      assertThat(backups.all()).hasSize(1);
      assertThat(backups.run("verify", "DIR")).contains("1 backup(s) with ");
      backups.make(server.uri());
      assertThat(backups.run("verify", "DIR")).contains("2 backup(s) with ");
    }
  }

  private static void failReads(MongoClient client, String mode) {
    client
        .getDatabase("admin")
        .runCommand(
            Document.parse(
                "{configureFailPoint: 'failCommand', mode: %s, data: {failCommands: ['backupRead'], errorCode: %d}}"
                    .formatted(mode, OUT_OF_DISK_SPACE)));
  }
}
