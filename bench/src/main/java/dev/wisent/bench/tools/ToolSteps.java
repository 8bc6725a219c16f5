package dev.wisent.bench.tools;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.bench.data.DocumentGenerator;
import dev.wisent.bench.measure.Meter;
import dev.wisent.bench.process.EndedChildren;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.RawBsonDocument;

/**
 * Inserts and scans a collection through the driver, and then dumps and restores it by the tool,
 * whose process begins and ends with the step. Not thread-safe.
 */
public final class ToolSteps implements AutoCloseable {
  private static final String DATABASE = "wisent_bench";
  private static final String COLLECTION = "tools";
  private static final int BATCH = 1_000;
  private static final double NANOS = 1e9;
  private static final double MICROS = 1e6;
  private static final Duration QUIET = Duration.ofSeconds(20);

  private final String uri;
  private final Meter meter;
  private final List<String> tool;
  private final MongoClient client;
  private final List<ToolCost> costs = new ArrayList<>();
  private long bytes;

  /**
   * @param tool words of the command, to which the tool's name is added
   */
  public ToolSteps(String uri, Meter meter, List<String> tool) {
    this.uri = uri;
    this.meter = meter;
    this.tool = List.copyOf(tool);
    this.client = MongoClients.create(uri);
  }

  public List<ToolCost> costs() {
    return List.copyOf(costs);
  }

  /** Of all documents. */
  public long bytes() {
    return bytes;
  }

  private MongoCollection<RawBsonDocument> collection() {
    return client
        .getDatabase(DATABASE)
        .getCollection(COLLECTION, RawBsonDocument.class)
        .withWriteConcern(WriteConcern.MAJORITY);
  }

  /** Has the server and the driver compile what they need. */
  public void warmUp(DocumentGenerator documents) throws Exception {
    drop();
    insert(documents);
    scan(documents.records());
    costs.clear();
    drop();
  }

  public void drop() {
    client.getDatabase(DATABASE).drop();
  }

  /** One client, as the tool has for one collection; without the time that documents take. */
  public void insert(DocumentGenerator documents) throws InterruptedException {
    meter.awaitQuiet(QUIET);
    bytes = 0;
    long nanos = 0;
    long cpu = 0;
    long server = serverMicros();
    List<RawBsonDocument> batch = new ArrayList<>();
    for (long i = 0; i < documents.records(); i++) {
      RawBsonDocument document = documents.document(i).bson();
      bytes += document.getByteBuffer().remaining();
      batch.add(document);
      if (batch.size() == BATCH || i + 1 == documents.records()) {
        long cpuBefore = threadNanos();
        long before = System.nanoTime();
        collection().insertMany(batch);
        nanos += System.nanoTime() - before;
        cpu += threadNanos() - cpuBefore;
        batch.clear();
      }
    }
    add("insertMany", nanos, cpu / NANOS, server);
  }

  /** Inserts, and measures only a scan of what is there then. */
  public void scanAfter(DocumentGenerator documents) throws InterruptedException {
    insert(documents);
    costs.clear();
    scan(documents.records());
  }

  /** Reads every document, and looks at none. */
  public void scan(long expected) throws InterruptedException {
    meter.awaitQuiet(QUIET);
    long cpu = threadNanos();
    long server = serverMicros();
    long before = System.nanoTime();
    long count = 0;
    try (var cursor = collection().find().cursor()) {
      while (cursor.hasNext()) {
        cursor.next();
        count++;
      }
    }
    check("scan", count, expected);
    add("plain scan", System.nanoTime() - before, (threadNanos() - cpu) / NANOS, server);
  }

  /**
   * Runs a tool to its end.
   *
   * @param log for its messages
   */
  public void run(Path log, String name, String... flags) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(tool);
    command.add(name);
    command.add("--uri=" + uri);
    command.addAll(List.of(flags));
    meter.awaitQuiet(QUIET);
    long children = EndedChildren.cpuMicros();
    long server = serverMicros();
    long before = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    int code = process.waitFor();
    if (code != 0) {
      throw new IOException("%s ended with %d: %s".formatted(command, code, Files.readString(log)));
    }
    add(
        "wisent " + name + (String.join(" ", flags).contains("--gzip") ? ", gzip" : ""),
        System.nanoTime() - before,
        (EndedChildren.cpuMicros() - children) / MICROS,
        server);
  }

  /** Fails unless a restore has brought back all. */
  public void checkCount(long expected) {
    check("restore", collection().countDocuments(), expected);
  }

  private static void check(String what, long found, long expected) {
    if (found != expected) {
      throw new IllegalStateException(what + " of " + found + " documents, not " + expected);
    }
  }

  private void add(String step, long nanos, double clientSeconds, long serverBefore) {
    costs.add(
        new ToolCost(
            step,
            nanos / NANOS,
            clientSeconds,
            meter.cpuMicros().isPresent() ? (serverMicros() - serverBefore) / MICROS : Double.NaN));
  }

  private long serverMicros() {
    return meter.cpuMicros().orElse(0);
  }

  private static long threadNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  @Override
  public void close() {
    client.close();
  }
}
