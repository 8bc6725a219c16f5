package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Backups that follow each other while documents and indexes change: each restored one is a state
 * that was there, with everything that was acknowledged before it began.
 */
class BackupUnderLoadTest {
  private static final int ROUNDS = 4;
  private static final long SEED = Long.getLong("wisent.seed", 1);

  @TempDir Path directory;

  @Test
  void ofAServer() throws ToolException, IOException {
    try (Wisent server = Wisent.start()) {
      run(server);
    }
  }

  @Test
  void ofASet() throws ToolException, IOException {
    try (Wisent set = Wisent.replicaSet(3)) {
      run(set);
    }
  }

  private void run(Wisent source) throws ToolException, IOException {
    var backups = new Backups(directory.resolve("backups"));
    int[] acknowledged = new int[ROUNDS];
    try (MongoClient client = MongoClients.create(source.uri());
        SequenceLoad load = SequenceLoad.start(client, SEED)) {
      for (int round = 0; round < ROUNDS; round++) {
        load.awaitMore(50);
        acknowledged[round] = load.acknowledged();
        backups.make(source.uri());
      }
    }
    assertThat(backups.run("verify", "DIR")).contains(ROUNDS + " backup(s)");
    List<BackupManifest> all = backups.all();
    assertThat(all).hasSize(ROUNDS);
    int last = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Path copy = directory.resolve("copy" + round);
      backups.run("restore", "DIR", "--backup", all.get(round).id(), "--dbpath=" + copy);
      int atLeast = Math.max(last, acknowledged[round]);
      int[] found = new int[1];
      Backups.inspect(
          copy,
          restored -> {
            found[0] = SequenceLoad.check(restored);
            Backups.validate(restored, "load");
          });
      assertThat(found[0]).as("seed %d, round %d", SEED, round).isGreaterThanOrEqualTo(atLeast);
      last = found[0];
    }
  }
}
