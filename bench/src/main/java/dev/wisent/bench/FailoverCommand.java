package dev.wisent.bench;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.bench.process.WorkDirectory;
import dev.wisent.bench.target.LocalReplicaSet;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.bson.Document;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The {@code wisent bench failover} command: how long a set takes no writes without its primary.
 */
@Command(
    name = "failover",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Kills the primary of a replica set of three, again and again, and measures the time until",
      "the next write is acknowledged to a client with the driver's default settings."
    })
final class FailoverCommand implements Callable<Integer> {
  private static final int MEMBERS = 3;
  private static final Duration GIVE_UP = Duration.ofMinutes(2);

  @Spec private CommandSpec spec;

  @Option(names = "--rounds", defaultValue = "20", description = "how often")
  private int rounds;

  @Option(
      names = "--wisent-command",
      paramLabel = "COMMAND",
      description = "starts a member (default: wisent server, from this repository)")
  private String wisentCommand;

  @Option(
      names = "--work-dir",
      paramLabel = "DIRECTORY",
      description = "where the members' data go (default: a temporary directory)")
  private Path workDirectory;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    List<Double> seconds = new ArrayList<>();
    try (WorkDirectory directory = WorkDirectory.create(Optional.ofNullable(workDirectory));
        LocalReplicaSet set =
            new LocalReplicaSet(BenchMain.wisentWords(wisentCommand), MEMBERS, directory.path())) {
      set.start();
      try (MongoClient client = MongoClients.create(set.uri())) {
        MongoCollection<Document> writes =
            client
                .getDatabase("failover")
                .getCollection("writes")
                .withWriteConcern(WriteConcern.MAJORITY);
        writes.insertOne(new Document("round", 0));
        for (int round = 1; round <= rounds; round++) {
          seconds.add(measure(set, writes, round));
          out.printf("round %d: %.2f s%n", round, seconds.getLast());
          out.flush();
        }
      }
    }
    seconds.sort(null);
    out.printf(
        "kill -9 of the primary to the next acknowledged write, %d rounds:"
            + " median %.2f s, fastest %.2f s, slowest %.2f s%n",
        rounds, seconds.get(rounds / 2), seconds.getFirst(), seconds.getLast());
    out.flush();
    return 0;
  }

  private static double measure(LocalReplicaSet set, MongoCollection<Document> writes, int round)
      throws Exception {
    int killed = set.killPrimary();
    long begin = System.nanoTime();
    write(writes, round, begin);
    double seconds = (System.nanoTime() - begin) / 1e9;
    set.restart(killed);
    set.awaitWhole();
    return seconds;
  }

  /** Until it is acknowledged, as a program would that does not give up. */
  private static void write(MongoCollection<Document> writes, int round, long begin) {
    while (true) {
      try {
        writes.insertOne(new Document("round", round));
        return;
      } catch (MongoException e) {
        if (System.nanoTime() - begin > GIVE_UP.toNanos()) {
          throw e;
        }
      }
    }
  }
}
