package dev.wisent.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ClientSessionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads with read concern snapshot outside of transactions, through a router. */
class SnapshotReadsTest {
  private static final ClientSessionOptions SNAPSHOT =
      ClientSessionOptions.builder().snapshot(true).build();

  @TempDir static Path directory;
  private static TransactionCluster cluster;

  @BeforeAll
  static void start() {
    cluster = new TransactionCluster(2, directory);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Document run(Document command) {
    return cluster
        .client()
        .getDatabase("bank")
        .runCommand(command.append("readConcern", new Document("level", "snapshot")));
  }

  @Test
  void readsOfASessionAreOfTheTimeOfTheFirst() {
    MongoCollection<Document> accounts = cluster.accounts("session");
    try (ClientSession session = cluster.client().startSession(SNAPSHOT)) {
      assertThat(accounts.countDocuments(session)).isEqualTo(4);
      accounts.insertOne(new Document("_id", 2).append("x", 10));
      accounts.deleteOne(Filters.eq(101));
      assertThat(accounts.countDocuments(session)).isEqualTo(4);
      assertThat(accounts.find(session).into(new ArrayList<>())).hasSize(4);
      assertThat(accounts.find(session, Filters.eq(2)).first()).isNull();
      assertThat(accounts.find(session, Filters.eq(101)).first()).isNotNull();
      assertThat(accounts.distinct(session, "_id", Integer.class).into(new ArrayList<>()))
          .containsExactlyInAnyOrder(0, 1, 100, 101);
      assertThat(
              accounts
                  .aggregate(
                      session,
                      List.of(
                          Aggregates.match(Filters.eq(0)),
                          Aggregates.lookup("session", List.of(Aggregates.count("n")), "counts")))
                  .first()
                  .getList("counts", Document.class))
          .containsExactly(new Document("n", 4));
    }
    assertThat(accounts.countDocuments()).isEqualTo(4);
  }

  @Test
  void joinsOfLaterBatchesAreOfTheTimeToo() {
    MongoCollection<Document> accounts = cluster.accounts("joins");
    try (ClientSession session = cluster.client().startSession(SNAPSHOT)) {
      var counts = List.of(Aggregates.lookup("joins", List.of(Aggregates.count("n")), "counts"));
      try (var cursor = accounts.aggregate(session, counts).batchSize(1).cursor()) {
        cursor.next();
        accounts.insertOne(new Document("_id", 2).append("x", 10));
        while (cursor.hasNext()) {
          assertThat(cursor.next().getList("counts", Document.class))
              .containsExactly(new Document("n", 4));
        }
      }
    }
  }

  @Test
  void distinctFixesTheTimeToo() {
    MongoCollection<Document> accounts = cluster.accounts("distinct");
    try (ClientSession session = cluster.client().startSession(SNAPSHOT)) {
      assertThat(accounts.distinct(session, "_id", Integer.class).into(new ArrayList<>()))
          .hasSize(4);
      accounts.insertOne(new Document("_id", 2).append("x", 10));
      assertThat(accounts.countDocuments(session)).isEqualTo(4);
    }
  }

  @Test
  void repliesOfSeveralShardsTellTheTime() {
    cluster.accounts("times");
    BsonTimestamp zero = new BsonTimestamp(0);
    assertThat(
            run(new Document("find", "times").append("batchSize", 1))
                .get("cursor", Document.class)
                .get("atClusterTime", BsonTimestamp.class))
        .isGreaterThan(zero);
    assertThat(
            run(new Document("aggregate", "times")
                    .append("pipeline", List.of(Aggregates.group(null, Accumulators.sum("n", 1))))
                    .append("cursor", new Document()))
                .get("cursor", Document.class)
                .get("atClusterTime", BsonTimestamp.class))
        .isGreaterThan(zero);
    assertThat(
            run(new Document("distinct", "times").append("key", "x"))
                .get("atClusterTime", BsonTimestamp.class))
        .isGreaterThan(zero);
  }
}
