package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.testkit.DirectoryTree;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Members that begin with a backup of another one's files, while clients go on writing. */
@Execution(ExecutionMode.CONCURRENT)
class SeededMemberTest {
  private static final int SOME_WRITES = 200;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @Test
  void lostAndNewMembersFetchOnlyTheLogSinceTheBackup() throws Exception {
    try (ReplicaSetProcesses set = ReplicaSetProcesses.start(directory, SetOptions.of(3));
        MongoClient client = MongoClients.create(set.uri())) {
      try (var writers = new SteadyWriters(client, "seed", WriteConcern.MAJORITY)) {
        writers.awaitMore(SOME_WRITES);
        Member source = set.secondaries().getFirst();
        Path backup = backUp(source);
        writers.awaitMore(SOME_WRITES);

        // Its disk is lost, and it comes back under its address.
        source.kill();
        DirectoryTree.delete(source.options().dbpath());
        DirectoryTree.copy(backup, source.options().dbpath());
        source.start();
        awaitSecondary(source);
        assertThatNothingWasFetched(source);

        // It is killed where it may still catch up.
        source.kill();
        DirectoryTree.delete(source.options().dbpath());
        DirectoryTree.copy(backup, source.options().dbpath());
        source.start();
        awaitJoined(source);
        source.kill();
        source.start();
        awaitSecondary(source);
        assertThatNothingWasFetched(source);

        Member fourth = set.newMember();
        DirectoryTree.copy(backup, fourth.options().dbpath());
        fourth.start();
        new Reconfiguration(set).add(fourth, new Document("priority", 0).append("hidden", true));
        awaitSecondary(fourth);
        assertThatNothingWasFetched(fourth);
        writers.stop();
        compare(set, client, writers.acknowledged());
      } catch (AssertionError | RuntimeException e) {
        set.describeInto(e);
        throw e;
      }
    }
  }

  /** Stops a member, copies what a backup has, and starts it again. */
  private Path backUp(Member member) throws IOException {
    assertThat(member.terminate()).isZero();
    Path from = member.options().dbpath();
    Path backup = Files.createDirectories(directory.resolve("backup"));
    Files.copy(from.resolve("wisent.format"), backup.resolve("wisent.format"));
    DirectoryTree.copy(from.resolve("data"), backup.resolve("data"));
    DirectoryTree.copy(from.resolve("local"), backup.resolve("local"));
    // A backup of a running member has no mark of what its readers had seen.
    Files.delete(backup.resolve("data").resolve("wisent.applied"));
    member.start();
    awaitSecondary(member);
    return backup;
  }

  private static void awaitSecondary(Member member) {
    Eventually.holds(
        "member " + member.id() + " is a secondary",
        ReplicaSetProcesses.PATIENCE,
        () -> member.hello().getBoolean("secondary", false));
  }

  /** Until it belongs to the log of its set, wherever it is in it. */
  private static void awaitJoined(Member member) {
    Path group = member.options().dbpath().resolve("raft").resolve("group");
    Eventually.holds("it joins", ReplicaSetProcesses.PATIENCE, () -> Files.exists(group));
  }

  private static void assertThatNothingWasFetched(Member member) {
    assertThat(member.admin("replSetGetStatus")).doesNotContainKey("initialSyncStatus");
    assertThat(member.logTail()).contains("Kept the data").doesNotContain("Installed a checkpoint");
  }

  private static void compare(
      ReplicaSetProcesses set, MongoClient client, List<String> acknowledged) {
    client
        .getDatabase("seed")
        .getCollection("writes")
        .withWriteConcern(new WriteConcern(4).withWTimeout(120, TimeUnit.SECONDS))
        .insertOne(new Document("_id", "last"));
    Set<String> hashes = new HashSet<>();
    for (Member member : set.members()) {
      Set<String> missing = new HashSet<>(acknowledged);
      member
          .direct()
          .getDatabase("seed")
          .getCollection("writes")
          .find()
          .forEach(document -> missing.remove(document.getString("_id")));
      assertThat(missing).as("acknowledged writes that " + member.id() + " lacks").isEmpty();
      hashes.add(
          member
              .direct()
              .getDatabase("seed")
              .runCommand(new Document("dbHash", 1))
              .getString("md5"));
      Document validation =
          member.direct().getDatabase("seed").runCommand(new Document("validate", "writes"));
      assertThat(validation.getBoolean("valid")).as(validation.toJson()).isTrue();
    }
    assertThat(hashes).hasSize(1);
  }
}
