package dev.wisent.bench;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.bench.data.DocumentGenerator;
import dev.wisent.bench.migration.MovedCollection;
import dev.wisent.bench.migration.PacedLoad;
import dev.wisent.bench.process.WorkDirectory;
import dev.wisent.bench.target.LocalCluster;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.bson.Document;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code wisent bench migration} command: what applications notice of chunks that move. */
@Command(
    name = "migration",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Starts a router on two shards, finds out how many reads and updates by key it can do, and"
          + " then",
      "sends a part of that, first without and then with half of the data moving to the other"
          + " shard."
    })
final class MigrationCommand implements Callable<Integer> {
  private static final double UNLIMITED = Double.POSITIVE_INFINITY;

  @Spec private CommandSpec spec;

  @Option(names = "--records", defaultValue = "200000", description = "documents of 700 bytes")
  private long records;

  @Option(names = "--chunk-records", defaultValue = "10000", description = "documents in a chunk")
  private long chunkRecords;

  @Option(names = "--clients", defaultValue = "4", description = "that read, and that write")
  private int clients;

  @Option(names = "--load", defaultValue = "90", description = "percent of what is possible")
  private int loadPercent;

  @Option(names = "--seconds", defaultValue = "20", description = "of each run without moves")
  private long seconds;

  @Option(
      names = "--warmup-seconds",
      defaultValue = "30",
      description = "with as much load as is possible, twice")
  private long warmUpSeconds;

  @Option(
      names = "--cacheSizeGB",
      defaultValue = "1",
      description = "of each shard; less than the data shows what reading from the disk costs")
  private String cacheSize;

  @Option(
      names = "--wisent-command",
      paramLabel = "COMMAND",
      description = "starts a server (default: wisent server, from this repository)")
  private String wisentCommand;

  @Option(
      names = "--work-dir",
      paramLabel = "DIRECTORY",
      description = "where the shards' data go (default: a temporary directory)")
  private Path workDirectory;

  /** What was seen during a time. */
  private record Run(double seconds, Histogram reads, Histogram writes) {
    double perSecond() {
      return (reads.getTotalCount() + writes.getTotalCount()) / seconds;
    }
  }

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    var shardFlags = List.of("--cacheSizeGB", cacheSize);
    try (WorkDirectory directory = WorkDirectory.create(Optional.ofNullable(workDirectory));
        LocalCluster cluster =
            new LocalCluster(
                BenchMain.wisentWords(wisentCommand), 2, shardFlags, directory.path())) {
      cluster.start();
      try (MongoClient client = MongoClients.create(cluster.uri())) {
        var collection = new MovedCollection(client, new DocumentGenerator(42, records));
        collection.load(chunkRecords);
        compare(client, collection, out);
      }
    }
    return 0;
  }

  private void compare(MongoClient client, MovedCollection collection, PrintWriter out)
      throws Exception {
    Run capacity = capacity(client, collection);
    double reads = capacity.reads().getTotalCount() / capacity.seconds() * loadPercent / 100;
    double writes = capacity.writes().getTotalCount() / capacity.seconds() * loadPercent / 100;
    Run quiet = during(client, reads, writes, seconds);
    List<Document> chunks = collection.chunksToMove();
    List<Long> longestWaits = new ArrayList<>();
    Duration pausedBefore = collection.paused();
    Run moving = whileMoving(client, collection, chunks, reads, writes, longestWaits);
    Run after = during(client, reads, writes, seconds);

    out.printf("%s, load %d %% of %.0f/s%n", Machine.describe(), loadPercent, capacity.perSecond());
    print(out, "without moves", quiet);
    print(out, "chunks move", moving);
    print(out, "after them", after);
    double megabytes = collection.bytes() / 1e6 / 2;
    out.printf(
        "throughput %.2fx, p99 of reads %.2fx, of writes %.2fx%n",
        moving.perSecond() / quiet.perSecond(),
        p99(moving.reads()) / p99(quiet.reads()),
        p99(moving.writes()) / p99(quiet.writes()));
    longestWaits.sort(null);
    out.printf(
        "%d chunks, %.0f MB in %.1f s, of that %.1f s in pauses: %.1f MB/s; longest wait of a write"
            + " during a move, ms: median %.0f, p99 %.0f, longest %.0f%n",
        chunks.size(),
        megabytes,
        moving.seconds(),
        collection.paused().minus(pausedBefore).toMillis() / 1e3,
        megabytes / moving.seconds(),
        longestWaits.get(longestWaits.size() / 2) / 1e6,
        longestWaits.get((int) Math.ceil(longestWaits.size() * 0.99) - 1) / 1e6,
        longestWaits.getLast() / 1e6);
    out.printf("steps of the donor, ms: %s%n", collection.steps(chunks.size()));
    out.flush();
  }

  /**
   * What is possible with the data on one shard and what with half of it on another: the smaller,
   * for the load is the same before and after the moves. Chunks move there and back under load, so
   * that the code for it is compiled, too.
   */
  private Run capacity(MongoClient client, MovedCollection collection) throws Exception {
    List<Document> chunks = collection.chunksToMove();
    moveAll(client, chunks, collection::move);
    Run halves = during(client, UNLIMITED, UNLIMITED, warmUpSeconds);
    moveAll(client, chunks, collection::moveBack);
    Run whole = during(client, UNLIMITED, UNLIMITED, warmUpSeconds);
    return halves.perSecond() < whole.perSecond() ? halves : whole;
  }

  private void moveAll(MongoClient client, List<Document> chunks, Consumer<Document> move)
      throws Exception {
    try (var load = new PacedLoad(client, records)) {
      load.start(clients, UNLIMITED, UNLIMITED);
      chunks.forEach(move);
      load.seen();
    }
  }

  /** The last of it counts as much as the first: each run begins with a second that does not. */
  private Run during(MongoClient client, double reads, double writes, long length)
      throws Exception {
    try (var load = new PacedLoad(client, records)) {
      load.start(clients, reads, writes);
      Thread.sleep(Duration.ofSeconds(1));
      load.seen();
      long begin = System.nanoTime();
      Thread.sleep(Duration.ofSeconds(length));
      PacedLoad.Seen seen = load.seen();
      return new Run((System.nanoTime() - begin) / 1e9, seen.reads(), seen.writes());
    }
  }

  private Run whileMoving(
      MongoClient client,
      MovedCollection collection,
      List<Document> chunks,
      double readsPerSecond,
      double writesPerSecond,
      List<Long> longestWaits)
      throws Exception {
    try (var load = new PacedLoad(client, records)) {
      load.start(clients, readsPerSecond, writesPerSecond);
      Thread.sleep(Duration.ofSeconds(1));
      PacedLoad.Seen seen = load.seen();
      Histogram reads = new Histogram(seen.reads().getNumberOfSignificantValueDigits());
      Histogram writes = new Histogram(seen.writes().getNumberOfSignificantValueDigits());
      long begin = System.nanoTime();
      for (Document chunk : chunks) {
        collection.move(chunk);
        seen = load.seen();
        reads.add(seen.reads());
        writes.add(seen.writes());
        longestWaits.add(seen.writes().getMaxValue());
      }
      return new Run((System.nanoTime() - begin) / 1e9, reads, writes);
    }
  }

  private static double p99(Histogram latencies) {
    return latencies.getValueAtPercentile(99);
  }

  private static void print(PrintWriter out, String name, Run run) {
    out.printf(
        "%-14s %7.0f/s  reads p50 %6.2f p99 %7.2f max %8.2f ms  writes p50 %6.2f p99 %7.2f max"
            + " %8.2f ms%n",
        name,
        run.perSecond(),
        run.reads().getValueAtPercentile(50) / 1e6,
        p99(run.reads()) / 1e6,
        run.reads().getMaxValue() / 1e6,
        run.writes().getValueAtPercentile(50) / 1e6,
        p99(run.writes()) / 1e6,
        run.writes().getMaxValue() / 1e6);
  }
}
