package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What reads of a set see: their own writes, what was acknowledged, the same everywhere. */
@ExtendWith(SharedReplicaSet.Extension.class)
class ReadConcernTest {
  private static final int ROUNDS = 50;

  private ReplicaSetProcesses set;
  private MongoClient client;
  private MongoCollection<Document> collection;

  @BeforeEach
  void connect(ReplicaSetProcesses shared) {
    set = shared;
    client = MongoClients.create(set.uri());
    collection = client.getDatabase("concerns").getCollection("c");
    collection.drop();
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  @Test
  void aSessionReadsItsOwnWritesOnSecondaries() {
    var options = ClientSessionOptions.builder().causallyConsistent(true).build();
    var onSecondary = collection.withReadPreference(ReadPreference.secondary());
    try (ClientSession session = client.startSession(options)) {
      for (int i = 0; i < ROUNDS; i++) {
        collection.withWriteConcern(WriteConcern.W1).insertOne(session, new Document("_id", i));
        assertThat(onSecondary.find(session, new Document("_id", i)).first())
            .as("document %d", i)
            .isNotNull();
      }
    }
  }

  @Test
  void whatOneClientReadsAnotherReadsAfterwardsEverywhere() {
    var options = ClientSessionOptions.builder().causallyConsistent(true).build();
    var onSecondary = collection.withReadPreference(ReadPreference.secondary());
    try (MongoClient other = MongoClients.create(set.uri());
        ClientSession session = client.startSession(options)) {
      var written = other.getDatabase("concerns").getCollection("c");
      for (int i = 0; i < ROUNDS; i++) {
        written.insertOne(new Document("_id", i));
        // The read tells when what it has seen was written.
        assertThat(collection.find(session, new Document("_id", i)).first()).isNotNull();
        assertThat(onSecondary.find(session, new Document("_id", i)).first())
            .as("document %d", i)
            .isNotNull();
      }
    }
  }

  @Test
  void aPrimaryWithoutOthersAnswersNoLinearizableRead() {
    collection.withWriteConcern(new WriteConcern(3)).insertOne(new Document("_id", 1));
    Member primary = set.awaitPrimary();
    var direct = primary.direct().getDatabase("concerns").getCollection("c");
    set.secondaries().forEach(Member::pause);
    try {
      assertThatThrownBy(
              () ->
                  direct
                      .withReadConcern(ReadConcern.LINEARIZABLE)
                      .find()
                      .maxTime(300, TimeUnit.MILLISECONDS)
                      .first())
          .isInstanceOf(MongoExecutionTimeoutException.class);
      assertThat(direct.withReadPreference(ReadPreference.nearest()).find().first())
          .as("what is committed can be read")
          .isNotNull();
    } finally {
      set.members().stream().filter(Member::paused).forEach(Member::resume);
    }
    set.awaitPrimary();
    set.awaitAllReadable();
    assertThat(
            collection
                .withReadConcern(ReadConcern.LINEARIZABLE)
                .find(new Document("_id", 1))
                .first())
        .isNotNull();
  }

  @Test
  void aTimeThatNobodyKnowsIsRefused() {
    collection.insertOne(new Document("_id", 1));
    var future = new BsonTimestamp((int) (System.currentTimeMillis() / 1000) + 10_000, 1);
    assertThatThrownBy(
            () ->
                client
                    .getDatabase("concerns")
                    .runCommand(
                        new Document("find", "c")
                            .append("readConcern", new Document("afterClusterTime", future))))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(72));
  }

  @Test
  void membersHaveTheSameBytes() {
    for (int i = 0; i < ROUNDS; i++) {
      collection.insertOne(new Document("_id", i).append("text", "x".repeat(i)));
    }
    collection.updateMany(new Document(), new Document("$inc", new Document("n", 1)));
    collection
        .withWriteConcern(new WriteConcern(3))
        .deleteMany(new Document("_id", new Document("$gt", ROUNDS / 2)));
    Set<String> hashes = new HashSet<>();
    for (Member member : set.members()) {
      Document reply =
          member
              .direct()
              .getDatabase("concerns")
              .runCommand(new Document("dbHash", 1), ReadPreference.nearest());
      assertThat(reply.get("collections", Document.class).keySet()).containsExactly("c");
      hashes.add(reply.getString("md5") + reply.get("uuids"));
    }
    assertThat(hashes).hasSize(1);
  }
}
