package dev.wisent.conformance.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.nio.file.Path;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A set of which members are killed while it is just being made: a majority is one of the members
 * in its configuration from the first moment on, and a member that says SECONDARY can vote.
 */
@Tag("faults")
class InitiatedSetTest {
  private static final int WAIT_MILLIS = 3000;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @Test
  void oneOfThreeIsNoMajority() {
    try (ReplicaSetProcesses set = ReplicaSetProcesses.launch(directory, SetOptions.of(3))) {
      try {
        set.initiate();
        set.member(1).kill();
        set.member(2).kill();
        Member first = set.member(0);
        assertNotAcknowledged(first);
        assertThatThrownBy(() -> linearizable(first)).isInstanceOf(MongoException.class);

        set.member(1).start();
        set.member(2).start();
        set.awaitPrimary();
        set.awaitAllReadable();
        write(set);
      } catch (AssertionError e) {
        set.describeInto(e);
        throw e;
      }
    }
  }

  @Test
  void twoSecondariesElectOneOfThemWhenTheFirstIsKilled() {
    for (int round = 0; round < 4; round++) {
      Path data = directory.resolve("round" + round);
      try (ReplicaSetProcesses set = ReplicaSetProcesses.launch(data, SetOptions.of(3))) {
        try {
          set.initiate();
          for (Member member : List.of(set.member(1), set.member(2))) {
            Eventually.holds(
                "member " + member.id() + " is a secondary",
                ReplicaSetProcesses.PATIENCE,
                () -> member.hello().getBoolean("secondary", false));
          }
          set.member(0).kill();
          assertThat(set.awaitPrimary()).isNotSameAs(set.member(0));
          write(set);
        } catch (AssertionError e) {
          set.describeInto(e);
          throw e;
        }
      }
    }
  }

  /** A write with a majority either has a write concern error, or there is no primary for it. */
  private static void assertNotAcknowledged(Member member) {
    Document insert =
        new Document("insert", "c")
            .append("documents", List.of(new Document("_id", "alone")))
            .append("writeConcern", new Document("w", "majority").append("wtimeout", WAIT_MILLIS));
    try {
      Document reply = member.direct().getDatabase("test").runCommand(insert);
      assertThat(reply).containsKey("writeConcernError");
    } catch (MongoException e) {
      assertThat(e.getCode()).isNotEqualTo(1);
    }
  }

  private static Document linearizable(Member member) {
    return member
        .direct()
        .getDatabase("test")
        .runCommand(
            new Document("find", "c")
                .append("readConcern", new Document("level", "linearizable"))
                .append("maxTimeMS", WAIT_MILLIS));
  }

  private static void write(ReplicaSetProcesses set) {
    try (MongoClient client = MongoClients.create(set.uri())) {
      client
          .getDatabase("test")
          .getCollection("c")
          .withWriteConcern(WriteConcern.MAJORITY)
          .insertOne(new Document("_id", "majority"));
    }
  }
}
