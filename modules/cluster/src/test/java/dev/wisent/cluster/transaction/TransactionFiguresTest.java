package dev.wisent.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code serverStatus} says of transactions, on a router and on a shard. */
class TransactionFiguresTest {
  @TempDir static Path directory;
  private static TransactionCluster cluster;
  private static MongoCollection<Document> accounts;

  private Document before;

  @BeforeAll
  static void start() {
    cluster = new TransactionCluster(2, directory);
    accounts = cluster.sharded("figures.c", "_id");
    for (int key : List.of(0, 1, 100, 101)) {
      accounts.insertOne(new Document("_id", key).append("x", 10));
    }
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void look() {
    before = ofRouter();
  }

  private static Document section(MongoClient client, String name) {
    return client
        .getDatabase("admin")
        .runCommand(new Document("serverStatus", 1))
        .get(name, Document.class);
  }

  private static Document ofRouter() {
    return section(cluster.client(), "transactions");
  }

  /** How much a figure has grown; its fields are separated by dots. */
  private long more(String figure) {
    return number(ofRouter(), figure) - number(before, figure);
  }

  private static long number(Document figures, String path) {
    Long value = figures.getEmbedded(List.of(path.split("\\.")), Long.class);
    return value == null ? 0 : value;
  }

  private void assertCommitted(String type, int participants) {
    assertThat(more("totalStarted")).isEqualTo(1);
    assertThat(more("totalCommitted")).isEqualTo(1);
    assertThat(more("totalAborted")).isZero();
    assertThat(more("commitTypes." + type + ".initiated")).isEqualTo(1);
    assertThat(more("commitTypes." + type + ".successful")).isEqualTo(1);
    assertThat(more("commitTypes." + type + ".successfulDurationMicros")).isPositive();
    assertThat(more("totalContactedParticipants")).isEqualTo(participants);
    assertThat(more("totalParticipantsAtCommit")).isEqualTo(participants);
    assertThat(more("currentOpen")).isZero();
  }

  private static void update(ClientSession session, int key) {
    accounts.updateOne(session, Filters.eq(key), Updates.inc("x", 1));
  }

  private static void read(ClientSession session, int key) {
    assertThat(accounts.find(session, Filters.eq(key)).first()).isNotNull();
  }

  @Test
  void aCommitOfSeveralWriters() {
    Document ofShard = section(cluster.shardClient(0), "twoPhaseCommitCoordinator");
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction();
      update(session, 0);
      update(session, 100);
      update(session, 101);
      assertThat(more("currentOpen")).isEqualTo(1);
      assertThat(more("currentInactive")).isEqualTo(1);
      assertThat(more("currentActive")).isZero();
      assertThat(more("totalRequestsTargeted")).isEqualTo(3);
      session.commitTransaction();
      session.commitTransaction();
    }
    assertCommitted("twoPhaseCommit", 2);
    Document after = section(cluster.shardClient(0), "twoPhaseCommitCoordinator");
    for (String figure :
        List.of("totalCreated", "totalStartedTwoPhaseCommit", "totalCommittedTwoPhaseCommit")) {
      assertThat(after.getLong(figure)).as(figure).isEqualTo(ofShard.getLong(figure) + 1);
    }
    assertThat(after.getLong("totalAbortedTwoPhaseCommit"))
        .isEqualTo(ofShard.getLong("totalAbortedTwoPhaseCommit"));
    assertThat(after.get("currentInSteps", Document.class))
        .containsOnlyKeys(
            "writingParticipantList",
            "waitingForVotes",
            "writingDecision",
            "waitingForDecisionAcks",
            "deletingCoordinatorDoc");
  }

  @Test
  void aCommitOfOneShard() {
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction();
      update(session, 0);
      update(session, 1);
      session.commitTransaction();
    }
    assertCommitted("singleShard", 1);
  }

  @Test
  void aCommitOfOneWriter() {
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction();
      read(session, 0);
      update(session, 100);
      session.commitTransaction();
    }
    assertCommitted("singleWriteShard", 2);
  }

  @Test
  void aCommitOfReaders() {
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction();
      assertThat(accounts.find(session).into(new ArrayList<>())).hasSize(4);
      session.commitTransaction();
    }
    assertCommitted("readOnly", 2);
  }

  @Test
  void anAbortHasACause() {
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction();
      update(session, 0);
      session.abortTransaction();
      session.startTransaction();
      assertThatThrownBy(() -> accounts.insertOne(session, new Document("_id", 100)))
          .isInstanceOf(MongoException.class);
      session.abortTransaction();
      session.startTransaction();
      update(session, 0);
      update(session, 100);
      assertThat(more("totalAborted")).isEqualTo(2);
    }
    // The end of the session aborts it on the shards, and the router is asked to.
    assertThat(more("totalStarted")).isEqualTo(3);
    assertThat(more("totalCommitted")).isZero();
    assertThat(more("totalAborted")).isEqualTo(3);
    assertThat(more("abortCause.abort")).isEqualTo(2);
    assertThat(more("abortCause.DuplicateKey")).isEqualTo(1);
  }
}
