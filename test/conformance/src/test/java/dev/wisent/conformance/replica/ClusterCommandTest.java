package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code wisent cluster} as the shell sees it. */
@Execution(ExecutionMode.CONCURRENT)
class ClusterCommandTest {

  private static final Pattern URI = Pattern.compile("(mongodb://\\S+)\\s");
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private static final List<String> SET =
      List.of("--members", "3", "--setParameter", "cursorTimeoutMillis=4711");
  private static final List<String> SHARDS = List.of("--shards", "2");

  @TempDir private Path directory;
  private Process process;
  private Path output;

  @AfterEach
  void stopWhatIsLeft() {
    if (process != null && process.isAlive()) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  @Test
  void startsASetPrintsItsUriAndStartsItAgain() throws Exception {
    int port = FreePort.findRow(3);

    String uri = start(port, SET);
    try (MongoClient client = MongoClients.create(uri)) {
      assertThat(
              client
                  .getDatabase("admin")
                  .runCommand(new Document("replSetGetStatus", 1))
                  .getList("members", Document.class))
          .extracting(member -> member.getString("stateStr"))
          .containsExactlyInAnyOrder("PRIMARY", "SECONDARY", "SECONDARY");
      assertThat(
              client
                  .getDatabase("admin")
                  .runCommand(new Document("getParameter", 1).append("cursorTimeoutMillis", 1))
                  .get("cursorTimeoutMillis"))
          .isEqualTo(4711L);
      client
          .getDatabase("test")
          .getCollection("c")
          .withWriteConcern(WriteConcern.W3)
          .insertOne(new Document("_id", 1));
    }
    List<ProcessHandle> members = process.children().toList();
    assertThat(members).hasSize(3);
    ProcessHandle killed = members.getFirst();
    killed.destroyForcibly();
    String text =
        Eventually.yields(
            "how to start it again",
            PATIENCE,
            () -> Optional.of(Files.readString(output)).filter(ClusterCommandTest::tellsHow));
    assertThat(text)
        .containsPattern("localhost:\\d+ ended with code 137; its log is \\S+server.log")
        .containsPattern("\\./wisent server --port \\d+ --dbpath \\S+ --replSet rs0 .*--logappend");
    stop();
    assertThat(members).noneMatch(ProcessHandle::isAlive);

    assertThat(start(port, SET)).isEqualTo(uri);
    try (MongoClient client = MongoClients.create(uri)) {
      assertThat(client.getDatabase("test").getCollection("c").countDocuments()).isOne();
    }
    stop();
  }

  @Test
  void startsAShardedClusterThatOutlivesItsProcesses() throws Exception {
    int port = FreePort.findRow(4);
    String uri = start(port, SHARDS);
    assertThat(uri).isEqualTo("mongodb://localhost:" + port + "/");
    try (MongoClient client = MongoClients.create(uri)) {
      client
          .getDatabase("admin")
          .runCommand(
              new Document("shardCollection", "test.c")
                  .append("key", new Document("_id", "hashed")));
      for (int i = 0; i < 20; i++) {
        client.getDatabase("test").getCollection("c").insertOne(new Document("_id", i));
      }
      client.getDatabase("test").getCollection("d").insertOne(new Document("_id", 1));
    }
    List<ProcessHandle> processes = process.children().toList();
    assertThat(processes).as("a config server, two shards and a router").hasSize(4);
    processes.forEach(ProcessHandle::destroyForcibly);
    process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);

    assertThat(start(port, SHARDS)).isEqualTo(uri);
    try (MongoClient client = MongoClients.create(uri)) {
      assertThat(client.getDatabase("test").getCollection("c").countDocuments()).isEqualTo(20);
      assertThat(client.getDatabase("test").getCollection("d").countDocuments()).isOne();
      assertThat(client.getDatabase("config").getCollection("shards").countDocuments())
          .isEqualTo(2);
    }
    stop();
  }

  /** The last part of what is printed about a process that has ended. */
  private static boolean tellsHow(String output) {
    return output.contains("again:") && output.contains("--logappend");
  }

  private String start(int port, List<String> flags) throws IOException {
    output = directory.resolve("output" + System.nanoTime());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx768m", "-cp"));
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.addAll(List.of("dev.wisent.cli.WisentMain", "cluster"));
    command.addAll(flags);
    command.addAll(List.of("--port", Integer.toString(port)));
    command.addAll(List.of("--dbpath", directory.resolve("cluster").toString()));
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return Eventually.yields(
        "a connection string",
        PATIENCE,
        () -> {
          String text = Files.readString(output);
          assertThat(process.isAlive()).as(text).isTrue();
          Matcher matcher = URI.matcher(text);
          return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
        });
  }

  private void stop() throws InterruptedException {
    process.destroy();
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }
}
