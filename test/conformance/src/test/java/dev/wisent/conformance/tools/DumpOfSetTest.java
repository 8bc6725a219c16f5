package dev.wisent.conformance.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import dev.wisent.testkit.ToolProcess;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A set of three processes under transfers: what a dump with its oplog has is a state that was
 * there, of primaries and of secondaries, and after the load the hash of the copy is that of the
 * set.
 */
@Tag("faults")
class DumpOfSetTest {
  private static final int ROUNDS = Integer.getInteger("wisent.dump.rounds", 4);
  private static final long SEED = Long.getLong("wisent.seed", 1);
  private static final int CLIENTS = 3;

  private Path directory;

  @Test
  void dumpsWithTheirOplog(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path temporary) {
    directory = temporary;
    try (ReplicaSetProcesses set =
            ReplicaSetProcesses.start(temporary.resolve("set"), SetOptions.of(3));
        Transfers load = new Transfers(set.uri());
        MongoClient source = MongoClients.create(set.uri())) {
      try {
        load.fill();
        load.start(CLIENTS, SEED);
        for (int round = 0; round < ROUNDS; round++) {
          load.awaitMore(100, 0);
          int before = load.transfers();
          try (Wisent node = copy(set, "under-load-" + round, round);
              MongoClient target = MongoClients.create(node.uri())) {
            assertThat(load.transfers()).isGreaterThan(before);
            int transfers = Transfers.check(target);
            System.out.printf("dump %d has %d transfers; %s%n", round, transfers, load.summary());
          }
        }
        load.stop();
        try (Wisent node = copy(set, "at-the-end", 0);
            MongoClient target = MongoClients.create(node.uri())) {
          Transfers.check(target);
          assertThat(hash(target)).isEqualTo(hash(source));
        }
      } catch (AssertionError | RuntimeException e) {
        set.describeInto(e);
        throw e;
      }
    }
  }

  /** A server with what a dump has. */
  private Wisent copy(ReplicaSetProcesses set, String name, int round) {
    Path dump = directory.resolve(name);
    boolean archive = round % 2 == 1;
    String where = archive ? "--archive=" + dump : "--out=" + dump;
    List<String> flags = new ArrayList<>(List.of("--oplog", where, "-j1"));
    if (round % 4 >= 2) {
      flags.add("--readPreference=secondary");
    }
    run(name + ".dump.log", "dump", set.uri(), flags);
    Wisent node = Wisent.start();
    try {
      String from = archive ? where : "--dir=" + dump;
      assertThat(run(name + ".restore.log", "restore", node.uri(), List.of("--oplogReplay", from)))
          .contains("applied ", " 0 document(s) failed to restore.");
    } catch (AssertionError e) {
      node.close();
      throw e;
    }
    return node;
  }

  private String run(String log, String tool, String uri, List<String> flags) {
    List<String> arguments = new ArrayList<>(List.of(tool, "--uri=" + uri));
    arguments.addAll(flags);
    try (ToolProcess process =
        ToolProcess.start(directory.resolve(log), arguments.toArray(String[]::new))) {
      return process.succeed(ReplicaSetProcesses.PATIENCE);
    }
  }

  private static Document hash(MongoClient client) {
    return client
        .getDatabase("bank")
        .runCommand(new Document("dbHash", 1))
        .get("collections", Document.class);
  }
}
