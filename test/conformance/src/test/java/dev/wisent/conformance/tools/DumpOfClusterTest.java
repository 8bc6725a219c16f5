package dev.wisent.conformance.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.ToolProcess;
import dev.wisent.testkit.replica.ShardedProcesses;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of two shards, all processes, under transfers between the shards and with ranges that
 * move all the time: each dump of it is one state, which fresh clusters of three shards get, also
 * where the restore is killed or interrupted in the middle and repeated.
 */
@Tag("faults")
class DumpOfClusterTest {
  private static final int ROUNDS = Integer.getInteger("wisent.dump.rounds", 6);
  private static final long SEED = Long.getLong("wisent.seed", 1);
  private static final int CLIENTS = 3;

  /** What ends the first attempt of a restore. */
  private enum End {
    ITSELF,
    SIGTERM,
    SIGKILL
  }

  private Path directory;
  private ShardedProcesses two;
  private Transfers load;

  @Test
  void theBalanceOfEachDumpIsExact(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path temporary) {
    directory = temporary;
    try (ShardedProcesses processes = ShardedProcesses.start(temporary.resolve("two"), 2, 1, 1, 2);
        Transfers transfers = new Transfers(processes.uri())) {
      two = processes;
      load = transfers;
      try {
        load.fillShards();
        load.start(CLIENTS, SEED);
        load.startMoves(SEED + CLIENTS);
        int movedBeside = 0;
        for (int round = 0; round < ROUNDS; round++) {
          load.awaitMore(100, 2);
          movedBeside += round(round);
        }
        load.stop();
        assertThat(movedBeside).as("ranges that moved beside dumps").isPositive();
        try (MongoClient client = MongoClients.create(two.uri())) {
          Transfers.check(client);
        }
      } catch (AssertionError | RuntimeException e) {
        two.describeInto(e);
        throw e;
      }
    }
  }

  /** Returns how many ranges have moved during the dump. */
  private int round(int round) {
    boolean archive = round % 2 == 1;
    Path dump = directory.resolve("dump-" + round);
    List<String> form =
        archive ? List.of("--gzip", "--archive=" + dump) : List.of(round % 4 == 0 ? "-j1" : "-j4");
    int moved = load.moves();
    int transferred = load.transfers();
    long begin = System.nanoTime();
    try (ToolProcess tool = tool("dump-" + round + ".log", "dump", two.uri(), form, dump)) {
      assertThat(tool.succeed(ShardedProcesses.PATIENCE))
          .contains("reading the state of cluster time");
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    moved = load.moves() - moved;
    assertThat(load.transfers()).as("transfers beside the dump").isGreaterThan(transferred);
    int states = restore(round, archive, dump);
    System.out.printf(
        "dump %d: %d ms, beside %d moves and %d transfers; has %d transfers; %s%n",
        round, millis, moved, load.transfers() - transferred, states, load.summary());
    return moved;
  }

  private int restore(int round, boolean archive, Path dump) {
    List<String> form =
        archive
            ? List.of("--gzip", "--archive=" + dump)
            : List.of("--numInsertionWorkersPerCollection=2");
    End end = End.values()[round % End.values().length];
    try (Wisent three = Wisent.cluster(3);
        MongoClient target = MongoClients.create(three.uri())) {
      Transfers.shard(target, Transfers.ACCOUNTS, new Document("_id", "hashed"));
      Transfers.shard(target, Transfers.LOG, new Document("from", 1));
      if (end != End.ITSELF) {
        interrupted(round, end, three, target, form, dump);
      }
      try (ToolProcess tool =
          tool("restore-" + round + ".log", "restore", three.uri(), form, dump)) {
        String messages = tool.succeed(ShardedProcesses.PATIENCE);
        assertThat(messages).contains(" 0 document(s) failed to restore.");
        if (end != End.ITSELF) {
          assertThat(messages).contains(" document(s) were there already.");
        }
      }
      int states = Transfers.check(target);
      assertThat(
              target
                  .getDatabase("admin")
                  .runCommand(new Document("checkMetadataConsistency", 1))
                  .get("cursor", Document.class)
                  .getList("firstBatch", Document.class))
          .isEmpty();
      return states;
    }
  }

  /** Ends a restore when it has begun to insert. */
  private void interrupted(
      int round, End end, Wisent three, MongoClient target, List<String> form, Path dump) {
    String log = "restore-" + round + "-" + end + ".log";
    try (ToolProcess tool = tool(log, "restore", three.uri(), form, dump)) {
      Eventually.holds(
          "restored documents",
          ShardedProcesses.PATIENCE,
          () ->
              !tool.running()
                  || target.getDatabase("bank").getCollection("accounts").estimatedDocumentCount()
                      > 0);
      if (end == End.SIGKILL) {
        tool.kill();
        tool.await(ShardedProcesses.PATIENCE);
        return;
      }
      tool.interrupt();
      if (tool.await(ShardedProcesses.PATIENCE) != 0) {
        assertThat(tool.messages())
            .contains("The restore is not complete. Missing:", "  bank.", "It may be repeated");
      }
    }
  }

  private ToolProcess tool(String log, String name, String uri, List<String> form, Path dump) {
    var arguments = new ArrayList<>(List.of(name, "--uri=" + uri));
    arguments.addAll(form);
    if (form.stream().noneMatch(flag -> flag.startsWith("--archive"))) {
      arguments.add(name.equals("dump") ? "--out=" + dump : "--dir=" + dump);
    }
    return ToolProcess.start(directory.resolve(log), arguments.toArray(String[]::new));
  }
}
