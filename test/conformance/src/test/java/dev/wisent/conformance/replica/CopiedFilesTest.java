package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.testkit.DirectoryTree;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.ProcessOptions;
import dev.wisent.testkit.ServerProcess;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Copies of whole data directories that are made while their servers run. A process that is stopped
 * by a signal while its files are copied leaves what a snapshot of the file system does: the state
 * of one moment.
 */
@Tag("scaled")
class CopiedFilesTest {
  /** How many copies are made. */
  private static final int ROUNDS = Integer.getInteger("wisent.copy.rounds", 1);

  /** How many writes are acknowledged before each copy. */
  private static final int WRITES = Integer.getInteger("wisent.copy.writes", 100);

  private static final String DATABASE = "copied";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  /** A snapshot of a standalone has what it had acknowledged. */
  @Test
  void snapshotsOfStandalone() throws Exception {
    try (ServerProcess server =
            ServerProcess.start(ProcessOptions.in(directory.resolve("original")));
        MongoClient client = MongoClients.create(server.uri());
        var writers = new SteadyWriters(client, DATABASE, WriteConcern.W1)) {
      for (int round = 0; round < ROUNDS; round++) {
        writers.awaitMore(WRITES);
        Path copy = directory.resolve("copy" + round).resolve("data");
        server.pause();
        List<String> acknowledged;
        try {
          acknowledged = writers.acknowledged();
          copy(server.options().dbpath(), copy);
        } finally {
          server.resume();
        }
        try (ServerProcess started = start(copy);
            MongoClient reader = MongoClients.create(started.uri())) {
          check(acknowledged, reader);
        }
      }
    }
  }

  /** A snapshot of a member has what all members had acknowledged, and its set is not needed. */
  @Test
  void snapshotsOfMembers() throws Exception {
    try (ReplicaSetProcesses set =
        ReplicaSetProcesses.start(directory.resolve("set"), SetOptions.of(3))) {
      try {
        for (int round = 0; round < ROUNDS; round++) {
          snapshotOf(set, set.secondaries().getFirst());
          snapshotOf(set, set.awaitPrimary());
        }
      } catch (AssertionError | RuntimeException e) {
        set.describeInto(e);
        throw e;
      }
    }
  }

  private void snapshotOf(ReplicaSetProcesses set, Member member) throws Exception {
    Path copy = directory.resolve("copy");
    List<String> acknowledged;
    try (MongoClient client = MongoClients.create(set.uri());
        var writers = new SteadyWriters(client, DATABASE, WriteConcern.W3)) {
      writers.awaitMore(WRITES);
      member.pause();
      try {
        acknowledged = writers.acknowledged();
        copy(member.options().dbpath(), copy);
      } finally {
        member.resume();
      }
      writers.stop();
    }
    set.members().forEach(Member::kill);
    Path kept = directory.resolve("kept");
    Files.move(member.options().dbpath(), kept);
    Files.move(copy, member.options().dbpath());
    member.start();
    Eventually.holds(
        "the copy serves reads",
        ReplicaSetProcesses.PATIENCE,
        () -> member.hello().getBoolean("secondary", false));
    check(acknowledged, member.direct());
    member.kill();
    // The copy must not go back into the set: it has forgotten what the member had confirmed.
    DirectoryTree.delete(member.options().dbpath());
    Files.move(kept, member.options().dbpath());
    set.members().forEach(Member::start);
    set.awaitAllReadable();
    try (MongoClient client = MongoClients.create(set.uri())) {
      client.getDatabase(DATABASE).drop();
    }
  }

  /** A plain copy of a standalone that is locked by {@code fsync} is what it was then. */
  @Test
  void copiesOfLockedStandalone() throws Exception {
    try (ServerProcess server =
            ServerProcess.start(ProcessOptions.in(directory.resolve("original")));
        MongoClient client = MongoClients.create(server.uri());
        var writers = new SteadyWriters(client, DATABASE, WriteConcern.W1)) {
      for (int round = 0; round < ROUNDS; round++) {
        writers.awaitMore(WRITES);
        Path copy = directory.resolve("copy" + round).resolve("data");
        String hash = copyLocked(client, server.options().dbpath(), copy);
        writers.awaitMore(1);
        try (ServerProcess started = start(copy);
            MongoClient reader = MongoClients.create(started.uri())) {
          assertThat(hash(reader)).isEqualTo(hash);
          check(List.of(), reader);
        }
      }
    }
  }

  /**
   * The same of a secondary, while its set goes on: read-only as it is, and as a standalone without
   * its log.
   */
  @Test
  void copiesOfLockedMember() throws Exception {
    try (ReplicaSetProcesses set =
            ReplicaSetProcesses.start(directory.resolve("set"), SetOptions.of(3));
        MongoClient client = MongoClients.create(set.uri());
        var writers = new SteadyWriters(client, DATABASE, WriteConcern.MAJORITY)) {
      for (int round = 0; round < ROUNDS; round++) {
        writers.awaitMore(WRITES);
        Member member = set.secondaries().getFirst();
        Path copy = directory.resolve("copy" + round).resolve("data");
        MongoClient direct = member.direct();
        direct.getDatabase("admin").runCommand(new Document("fsync", 1).append("lock", true));
        String hash;
        try {
          hash = hash(direct);
          writers.awaitMore(WRITES);
          copy(member.options().dbpath(), copy);
          assertThat(hash(direct)).as("while the set goes on").isEqualTo(hash);
        } finally {
          direct.getDatabase("admin").runCommand(new Document("fsyncUnlock", 1));
        }
        assertThatIs(hash, copy);
        DirectoryTree.delete(copy.resolve("raft"));
        assertThatIs(hash, copy);
      }
    }
  }

  private static void assertThatIs(String hash, Path copy) {
    try (ServerProcess started = start(copy);
        MongoClient reader = MongoClients.create(started.uri())) {
      assertThat(hash(reader)).isEqualTo(hash);
      check(List.of(), reader);
    }
  }

  private static String copyLocked(MongoClient client, Path from, Path to) throws Exception {
    client.getDatabase("admin").runCommand(new Document("fsync", 1).append("lock", true));
    try {
      String hash = hash(client);
      copy(from, to);
      return hash;
    } finally {
      client.getDatabase("admin").runCommand(new Document("fsyncUnlock", 1));
    }
  }

  private static ServerProcess start(Path data) {
    return ServerProcess.start(ProcessOptions.in(data.getParent()));
  }

  private static void copy(Path from, Path to) throws IOException, InterruptedException {
    Files.createDirectories(to.getParent());
    int code = new ProcessBuilder("cp", "-a", from.toString(), to.toString()).start().waitFor();
    assertThat(code).isZero();
  }

  private static void check(List<String> acknowledged, MongoClient server) {
    assertThat(SteadyWriters.missing(acknowledged, server, DATABASE)).isEmpty();
    Document validation =
        server
            .getDatabase(DATABASE)
            .runCommand(new Document("validate", "writes").append("full", true));
    assertThat(validation.getBoolean("valid")).as(validation.toJson()).isTrue();
  }

  private static String hash(MongoClient server) {
    return server.getDatabase(DATABASE).runCommand(new Document("dbHash", 1)).getString("md5");
  }
}
