package dev.wisent.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.wisent.bench.workload.Workload;
import dev.wisent.bench.workload.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs the command itself, at a tiny size, on real servers. */
@Timeout(1200)
class BenchSmokeTest {
  @TempDir Path directory;

  @BeforeEach
  void letOtherUsersPass() throws IOException {
    // PostgreSQL does not run as root, so its data directory must be within another user's reach.
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void allWorkloadsRunOnMongoJavaServer() throws IOException {
    assertThat(bench("mongo-java-server", "all")).isZero();
    // It has no text indexes, does not order by distance, lacks a stage and an expression, and TLS.
    assertAllMeasured(
        "mongo-java-server",
        Workloads.all().stream()
            .filter(w -> !w.name().startsWith("text-") && !w.name().startsWith("geo-"))
            .filter(w -> !Set.of("aggregate-window", "aggregate-histogram").contains(w.name()))
            .filter(w -> !w.name().equals("connect-resumed"))
            .filter(w -> !needsReplicaSet(w))
            .toList());
    assertThat(Files.readString(directory.resolve("out.md")))
        .contains("| ycsb-f ", "| starvation ");
  }

  @Test
  void allWorkloadsRunOnPostgres() throws IOException {
    assertThat(bench("postgres", "all")).isZero();
    BsonDocument first = results().getFirst();
    assumeTrue(
        !first.getString("skipped", new BsonString("")).getValue().contains("installed"),
        "PostgreSQL is not installed");
    // Bare connections of MongoDB's protocol cannot be made to it.
    assertAllMeasured(
        "postgres",
        Workloads.all().stream()
            .filter(w -> !w.name().startsWith("connect") && !needsReplicaSet(w))
            .toList());
    BsonDocument journaled = result("postgres", "insert-journaled");
    assertThat(journaled.getString("durability").getValue()).isEqualTo("synchronous_commit=on");
    assertThat(journaled.getDocument("median").getDouble("diskBytes").getValue()).isPositive();
  }

  private static boolean needsReplicaSet(Workload workload) {
    return workload.name().startsWith("transaction-")
        || workload.name().startsWith("change-streams-");
  }

  @Test
  void aServerThatDoesNotStartIsReportedAndTheRestGoesOn() throws IOException {
    assertThat(bench("mongo-java-server,wisent", "point-read", "--wisent-command", "false"))
        .isOne();
    assertThat(result("wisent", "point-read").getString("error").getValue())
        .contains("did not start", "code 1");
    assertThat(result("mongo-java-server", "point-read")).containsKey("median");
  }

  @Test
  void wrongOptionsAreUsageErrors() {
    assertThat(bench("mongo-java-server", "point-reed")).isEqualTo(2);
    assertThat(bench("mongo-java-server", "point-read", "--records", "0")).isEqualTo(2);
    assertThat(bench("oracle", "point-read")).isEqualTo(2);
  }

  private int bench(String targets, String workloads, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("--targets", targets, "--workloads", workloads, "--work-dir", path("work")));
    arguments.addAll(List.of("--records", "200", "--operations", "12", "--seconds", "5"));
    arguments.addAll(
        List.of(
            "--rounds", "1", "--quiet-seconds", "0", "--threads", "2", "--idle-connections", "20"));
    arguments.addAll(List.of("--shared-buffers-mb", "32", "--memory-server-heap-mb", "256"));
    arguments.addAll(List.of("--out", path("out.md"), "--json", path("out.json")));
    arguments.addAll(List.of(more));
    CommandLine command = new CommandLine(new BenchMain());
    command.setOut(new PrintWriter(new StringWriter()));
    command.setErr(new PrintWriter(new StringWriter()));
    int code = command.execute(arguments.toArray(String[]::new));
    assertThat(ProcessHandle.current().children()).as("servers left behind").isEmpty();
    assertThat(directory.resolve("work"))
        .satisfiesAnyOf(
            work -> assertThat(work).doesNotExist(), work -> assertThat(work).isEmptyDirectory());
    return code;
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private void assertAllMeasured(String target, List<Workload> workloads) throws IOException {
    for (Workload workload : workloads) {
      BsonDocument result = result(target, workload.name());
      assertThat(result).as(result.toJson()).containsKey("median");
      BsonDocument median = result.getDocument("median");
      assertThat(median.getDouble("unitsPerSecond").getValue()).isPositive();
      assertThat(median.getDouble("p99Micros").getValue())
          .isGreaterThanOrEqualTo(median.getDouble("p50Micros").getValue());
      assertThat(median.getDouble("residentBytes").getValue()).isPositive();
    }
  }

  private BsonDocument result(String target, String workload) throws IOException {
    return results().stream()
        .filter(result -> result.getString("target").getValue().equals(target))
        .filter(result -> result.getString("workload").getValue().equals(workload))
        .findFirst()
        .orElseThrow();
  }

  private List<BsonDocument> results() throws IOException {
    String json = Files.readString(directory.resolve("out.json"));
    return BsonDocument.parse(json).getArray("results").stream()
        .map(value -> value.asDocument())
        .toList();
  }
}
