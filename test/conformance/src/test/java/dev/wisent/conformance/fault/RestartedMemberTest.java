package dev.wisent.conformance.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every member had acknowledged is never missing from the reads of a member that was killed
 * and started again: it refuses them until it has it.
 */
@Tag("faults")
class RestartedMemberTest {
  private static final int DOCUMENTS = 5000;
  private static final int BATCH = 100;

  /** NotWritablePrimary, and what a member says that cannot serve reads. */
  private static final Set<Integer> REFUSALS = Set.of(10107, 13435, 13436, 11600, 11602, 189, 91);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @Test
  void aKilledMemberShowsNoOlderState() {
    try (ReplicaSetProcesses set = ReplicaSetProcesses.start(directory, SetOptions.of(3))) {
      fill(set);
      for (int round = 0; round < 3; round++) {
        kill(set, set.secondaries().getFirst());
        kill(set, set.awaitPrimary());
      }
    }
  }

  @Test
  void oneOfThreeThatAreKilledServesWhatItHad() {
    try (ReplicaSetProcesses set = ReplicaSetProcesses.start(directory, SetOptions.of(3))) {
      fill(set);
      set.members().forEach(Member::kill);
      for (Member member : set.members()) {
        member.start();
        watchUntilReadable(set, member);
        assertThat(member.hello())
            .containsEntry("secondary", true)
            .containsEntry("isWritablePrimary", false)
            .doesNotContainKey("primary");
        assertThat(count(member, ReadConcern.MAJORITY)).isEqualTo(DOCUMENTS);
        member.kill();
      }
    }
  }

  private static void fill(ReplicaSetProcesses set) {
    try (MongoClient client = MongoClients.create(set.uri())) {
      MongoCollection<Document> documents =
          client.getDatabase("test").getCollection("c").withWriteConcern(WriteConcern.W3);
      for (int i = 0; i < DOCUMENTS; i += BATCH) {
        documents.insertMany(
            IntStream.range(i, i + BATCH).mapToObj(id -> new Document("_id", id)).toList());
      }
    }
  }

  private static void kill(ReplicaSetProcesses set, Member member) {
    member.kill();
    member.start();
    watchUntilReadable(set, member);
    set.awaitPrimary();
    set.awaitAllReadable();
  }

  /** Asks all the time: what is answered is complete, and what is refused has MongoDB's reason. */
  private static void watchUntilReadable(ReplicaSetProcesses set, Member member) {
    List<String> complaints = new ArrayList<>();
    Eventually.holds(
        "member " + member.id() + " serves reads",
        ReplicaSetProcesses.PATIENCE,
        () -> {
          check(member, ReadConcern.LOCAL, complaints);
          check(member, ReadConcern.MAJORITY, complaints);
          for (String command : List.of("replSetGetStatus", "replSetGetConfig", "serverStatus")) {
            ask(() -> member.admin(command), complaints);
          }
          Document hello = member.hello();
          return hello.getBoolean("secondary", false)
              || hello.getBoolean("isWritablePrimary", false);
        });
    check(member, ReadConcern.MAJORITY, complaints);
    try {
      assertThat(complaints).isEmpty();
    } catch (AssertionError e) {
      set.describeInto(e);
      throw e;
    }
  }

  private static void check(Member member, ReadConcern concern, List<String> complaints) {
    ask(
        () -> {
          long count = count(member, concern);
          if (count != DOCUMENTS) {
            complaints.add(count + " documents with read concern " + concern.getLevel());
          }
        },
        complaints);
  }

  private static void ask(Runnable question, List<String> complaints) {
    try {
      question.run();
    } catch (MongoCommandException e) {
      if (!REFUSALS.contains(e.getErrorCode())) {
        complaints.add(e.getMessage());
      }
    } catch (MongoException e) {
      // The connection was to the process before, or the member is no server that reads may go to.
    }
  }

  private static long count(Member member, ReadConcern concern) {
    return member
        .direct()
        .getDatabase("test")
        .withReadPreference(ReadPreference.nearest())
        .withReadConcern(concern)
        .runCommand(
            new Document("count", "c").append("readConcern", concern.asDocument()),
            ReadPreference.nearest())
        .getInteger("n");
  }
}
