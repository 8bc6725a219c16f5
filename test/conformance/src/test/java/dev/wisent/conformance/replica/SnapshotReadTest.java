package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoCommandException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.Updates;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Read concern {@code snapshot}: all reads of a session see one state. */
@ExtendWith(SharedReplicaSet.Extension.class)
class SnapshotReadTest {
  private static final int DOCUMENTS = 250;

  private ReplicaSetProcesses set;
  private MongoClient client;
  private MongoCollection<Document> collection;

  @BeforeEach
  void connect(ReplicaSetProcesses shared) {
    set = shared;
    client = MongoClients.create(set.uri());
    collection =
        client.getDatabase("snapshots").getCollection("c").withWriteConcern(new WriteConcern(3));
    collection.drop();
    collection.createIndex(new Document("n", 1));
    collection.insertMany(
        IntStream.range(0, DOCUMENTS)
            .mapToObj(i -> new Document("_id", i).append("n", i))
            .toList());
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  private ClientSession snapshot() {
    return client.startSession(ClientSessionOptions.builder().snapshot(true).build());
  }

  private void changeEverything() {
    collection.updateMany(Filters.lt("_id", 100), Updates.inc("n", 1000));
    collection.deleteMany(Filters.gte("_id", 200));
    collection.insertOne(new Document("_id", "new").append("n", 5));
  }

  @Test
  void allReadsOfASessionSeeOneState() {
    try (ClientSession session = snapshot()) {
      MongoCursor<Document> cursor =
          collection.find(session).sort(new Document("_id", 1)).batchSize(10).iterator();
      List<Object> ids = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        ids.add(cursor.next().get("_id"));
      }
      changeEverything();
      cursor.forEachRemaining(document -> ids.add(document.get("_id")));
      assertThat(ids).isEqualTo(IntStream.range(0, DOCUMENTS).boxed().toList());
      assertThat(collection.countDocuments(session)).isEqualTo(DOCUMENTS);
      assertThat(collection.countDocuments(session, Filters.gte("n", 1000))).isZero();
      assertThat(collection.find(session, Filters.eq(7)).first()).containsEntry("n", 7);
      assertThat(collection.find(session, Filters.eq(220)).first()).containsEntry("n", 220);
      assertThat(collection.find(session, Filters.eq("new")).first()).isNull();
      assertThat(collection.find(session, Filters.eq("n", 240)).first()).containsEntry("_id", 240);
      assertThat(collection.distinct(session, "n", Integer.class).into(new ArrayList<>()))
          .hasSize(DOCUMENTS);
      Document sum =
          collection
              .aggregate(session, List.of(Aggregates.group(null, Accumulators.sum("sum", "$n"))))
              .first();
      assertThat(sum).containsEntry("sum", DOCUMENTS * (DOCUMENTS - 1) / 2);
    }
    try (ClientSession session = snapshot()) {
      assertThat(collection.countDocuments(session)).isEqualTo(201);
    }
  }

  @Test
  void whatIsMovedBetweenDocumentsIsNeverSeenTwiceOrNotAtAll() throws Exception {
    var done = new AtomicBoolean();
    var database = client.getDatabase("snapshots");
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; !done.get(); i++) {
                // One statement is one state; a reader between the two sees a difference of one.
                collection
                    .withWriteConcern(WriteConcern.W1)
                    .bulkWrite(
                        List.of(
                            new UpdateOneModel<>(Filters.eq(1), Updates.set("n", i)),
                            new UpdateOneModel<>(Filters.eq(2), Updates.set("n", i))));
              }
            });
    try {
      for (int round = 0; round < 30; round++) {
        try (ClientSession session = snapshot()) {
          int first =
              database.getCollection("c").find(session, Filters.eq(1)).first().getInteger("n");
          int second =
              database.getCollection("c").find(session, Filters.eq(2)).first().getInteger("n");
          int again =
              database.getCollection("c").find(session, Filters.eq(1)).first().getInteger("n");
          assertThat(again).isEqualTo(first);
          if (first > 2) {
            assertThat(first - second).isBetween(0, 1);
          }
        }
      }
    } finally {
      done.set(true);
    }
    writer.get();
  }

  @Test
  void aTimeIsReadOnEveryMember() {
    BsonTimestamp time;
    try (ClientSession session = snapshot()) {
      assertThat(collection.countDocuments(session)).isEqualTo(DOCUMENTS);
      time = session.getSnapshotTimestamp();
    }
    for (Member member : set.members()) {
      assertThat(countAt(member, time)).isEqualTo(DOCUMENTS);
    }
    changeEverything();
    for (Member member : set.members()) {
      assertThat(countAt(member, time)).as("member %d", member.id()).isEqualTo(DOCUMENTS);
    }
    Member one = set.secondaries().getFirst();
    one.admin(new Document("setParameter", 1).append("minSnapshotHistoryWindowInSeconds", 0));
    try {
      assertFails(239, () -> countAt(one, time));
    } finally {
      one.admin(new Document("setParameter", 1).append("minSnapshotHistoryWindowInSeconds", 300));
    }
    assertThat(
            one.admin(
                new Document("getParameter", 1).append("minSnapshotHistoryWindowInSeconds", 1)))
        .containsEntry("minSnapshotHistoryWindowInSeconds", 300);
  }

  private static long countAt(Member member, BsonTimestamp time) {
    Document reply =
        member
            .direct()
            .getDatabase("snapshots")
            .runCommand(
                new Document("distinct", "c")
                    .append("key", "_id")
                    .append(
                        "readConcern",
                        new Document("level", "snapshot").append("atClusterTime", time)),
                ReadPreference.nearest());
    assertThat(reply).containsEntry("atClusterTime", time);
    return reply.getList("values", Object.class).size();
  }

  @Test
  void aCollectionThatHasChangedSinceIsNotRead() {
    try (ClientSession session = snapshot()) {
      assertThat(collection.countDocuments(session)).isEqualTo(DOCUMENTS);
      collection.createIndex(new Document("m", 1));
      assertFails(246, () -> collection.find(session, Filters.gt("n", 1)).first());
    }
    try (ClientSession session = snapshot()) {
      assertThat(collection.countDocuments(session)).isEqualTo(DOCUMENTS);
      var later = client.getDatabase("snapshots").getCollection("later");
      later.insertOne(new Document());
      assertThat(later.countDocuments(session)).as("there was none").isZero();
      later.drop();
      collection.drop();
      assertFails(246, () -> collection.find(session).first());
    }
  }

  @Test
  void whatIsAMembersOwnHasNoPast() {
    var local = client.getDatabase("local").getCollection("snapshots");
    try (ClientSession session = snapshot()) {
      assertFails(72, () -> local.find(session).first());
    }
  }

  private static void assertFails(int code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(code));
  }
}
