package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoWriteConcernException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a write waits for. */
@ExtendWith(SharedReplicaSet.Extension.class)
class WriteConcernTest {

  private ReplicaSetProcesses set;
  private MongoClient client;
  private MongoCollection<Document> collection;

  @BeforeEach
  void connect(ReplicaSetProcesses shared) {
    set = shared;
    client = MongoClients.create(set.uri());
    collection = client.getDatabase("writes").getCollection("c");
    collection.drop();
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  private void insert(WriteConcern concern, int id) {
    collection.withWriteConcern(concern).insertOne(new Document("_id", id));
  }

  private static boolean has(Member member, int id) {
    return member
            .direct()
            .getDatabase("writes")
            .getCollection("c")
            .withReadPreference(ReadPreference.secondaryPreferred())
            .find(new Document("_id", id))
            .first()
        != null;
  }

  @Test
  void allConcernsThatCanBeMetAreMet() {
    insert(WriteConcern.W1, 1);
    insert(WriteConcern.W2, 2);
    insert(WriteConcern.W3, 3);
    insert(WriteConcern.MAJORITY, 4);
    insert(WriteConcern.MAJORITY.withJournal(true), 5);
    insert(new WriteConcern("bothCoasts"), 6);

    assertThat(collection.countDocuments()).isEqualTo(6);
  }

  @Test
  void aWriteToAllMembersCanBeReadFromAll() {
    for (int id = 0; id < 20; id++) {
      insert(WriteConcern.W3, id);
      for (Member member : set.members()) {
        assertThat(has(member, id)).as("document %d on member %d", id, member.id()).isTrue();
      }
    }
  }

  @Test
  void moreMembersThanThereAre() {
    assertThatThrownBy(() -> insert(new WriteConcern(4), 1))
        .isInstanceOfSatisfying(
            MongoWriteConcernException.class,
            e -> assertThat(e.getWriteConcernError().getCode()).isEqualTo(100));
    assertThat(collection.countDocuments()).as("the write stays").isOne();
  }

  @Test
  void aNameThatTheConfigurationDoesNotHave() {
    assertThatThrownBy(() -> insert(new WriteConcern("allCoasts"), 1))
        .isInstanceOfSatisfying(
            MongoWriteConcernException.class,
            e -> assertThat(e.getWriteConcernError().getCode()).isEqualTo(79));
  }

  @Test
  void aPausedMemberLetsAWriteTimeOutThatWaitsForIt() {
    Member paused = set.secondaries().getFirst();
    paused.pause();
    try {
      insert(WriteConcern.MAJORITY, 1);
      assertThatThrownBy(() -> insert(WriteConcern.W3.withWTimeout(500, TimeUnit.MILLISECONDS), 2))
          .isInstanceOfSatisfying(
              MongoWriteConcernException.class,
              e -> {
                assertThat(e.getWriteConcernError().getCode()).isEqualTo(64);
                assertThat(e.getWriteConcernError().getCodeName()).isEqualTo("WriteConcernFailed");
                assertThat(e.getWriteConcernError().getDetails().getBoolean("wtimeout").getValue())
                    .isTrue();
              });
      assertThat(collection.countDocuments()).as("the write stays").isEqualTo(2);
    } finally {
      paused.resume();
    }
    insert(WriteConcern.W3.withWTimeout(60, TimeUnit.SECONDS), 3);
    assertThat(has(paused, 2)).isTrue();
  }

  @Test
  void theDefaultIsAMajorityAndCanBeChanged() {
    Document before =
        client.getDatabase("admin").runCommand(new Document("getDefaultRWConcern", 1));
    assertThat(before.get("defaultWriteConcern", Document.class).get("w")).isEqualTo("majority");

    setDefault(1234);
    try {
      Document after =
          client.getDatabase("admin").runCommand(new Document("getDefaultRWConcern", 1));
      assertThat(after.get("defaultWriteConcern", Document.class).get("wtimeout")).isEqualTo(1234);
      assertThat(after.getString("defaultWriteConcernSource")).isEqualTo("global");
    } finally {
      // All other tests write with it.
      setDefault(0);
    }
  }

  private void setDefault(int timeoutMillis) {
    client
        .getDatabase("admin")
        .runCommand(
            new Document("setDefaultRWConcern", 1)
                .append(
                    "defaultWriteConcern",
                    new Document("w", "majority").append("wtimeout", timeoutMillis)));
  }
}
