package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.FreePort;
import dev.wisent.testkit.ProcessOptions;
import dev.wisent.testkit.ServerProcess;
import dev.wisent.testkit.ToolProcess;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A member that was killed under load, looked at by a server without {@code --replSet}. */
@Execution(ExecutionMode.CONCURRENT)
class ReadOnlyDirectoryTest {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @Test
  void aKilledMemberIsValidatedAndDumped() throws Exception {
    try (ReplicaSetProcesses set =
            ReplicaSetProcesses.start(directory.resolve("set"), SetOptions.of(1));
        MongoClient client = MongoClients.create(set.uri())) {
      Member member = set.member(0);
      try (var writers = new SteadyWriters(client, "test", WriteConcern.MAJORITY)) {
        writers.awaitMore(100);
        List<String> flushed = writers.acknowledged();
        member.admin("fsync");
        writers.awaitMore(50);
        refuse(readOnly(member));
        member.kill();
        writers.close();
        look(member, flushed);
      }
      member.start();
      set.awaitPrimary();
    }
  }

  private static ProcessOptions readOnly(Member member) {
    ProcessOptions original = member.options();
    return new ProcessOptions(
        original.program(),
        original.dbpath(),
        original.logFile().resolveSibling("read-only.log"),
        original.host(),
        FreePort.find(),
        List.of(),
        original.jvmFlags(),
        original.startTimeout(),
        original.clients());
  }

  /** A server that is to find the directory in use. */
  private static void refuse(ProcessOptions options) {
    ServerProcess second = ServerProcess.launch(options);
    try {
      Eventually.holds("it ends", Duration.ofSeconds(60), () -> !second.alive());
      assertThat(second.logTail()).contains("is in use by");
    } finally {
      second.kill();
    }
  }

  private void look(Member member, List<String> flushed) throws Exception {
    try (ServerProcess server = ServerProcess.start(readOnly(member));
        MongoClient client = MongoClients.create(server.uri())) {
      assertThat(SteadyWriters.missing(flushed, client, "test")).isEmpty();
      Document validation =
          client
              .getDatabase("test")
              .runCommand(new Document("validate", "writes").append("full", true));
      assertThat(validation.getBoolean("valid")).as(validation.toJson()).isTrue();
      assertThatThrownBy(
              () -> client.getDatabase("test").getCollection("c").insertOne(new Document()))
          .isInstanceOfSatisfying(MongoException.class, e -> assertThat(e.getCode()).isEqualTo(20));
      assertThatThrownBy(() -> client.getDatabase("test").createCollection("c"))
          .isInstanceOf(MongoCommandException.class)
          .hasMessageContaining("read-only");
      Path dump = directory.resolve("dump");
      ToolProcess.start(
              directory.resolve("dump.log"), "dump", "--uri=" + server.uri(), "--out=" + dump)
          .succeed(Duration.ofSeconds(120));
      assertThat(Files.size(dump.resolve("test").resolve("writes.bson"))).isPositive();
      refuse(member.options());
    }
  }
}
