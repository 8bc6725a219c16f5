package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteException;
import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CollationStrength;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.Updates;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transactions as drivers use them. */
@ExtendWith(SharedReplicaSet.Extension.class)
class TransactionTest {
  private static final String TRANSIENT = "TransientTransactionError";
  private static final Collation SIMPLE = Collation.builder().locale("simple").build();
  private static final String NEAR =
      "{$geoNear: {near: {type: 'Point', coordinates: [1, 2]}, distanceField: 'far'}}";

  private ReplicaSetProcesses set;
  private Member primary;
  private MongoClient client;
  private MongoDatabase database;
  private MongoCollection<Document> collection;

  @BeforeEach
  void connect(ReplicaSetProcesses shared) {
    set = shared;
    primary = set.primary().orElseThrow();
    client = MongoClients.create(set.uri());
    database = client.getDatabase("transactions");
    database.drop();
    collection = database.getCollection("c");
    collection.insertMany(
        IntStream.range(0, 20).mapToObj(i -> new Document("_id", i).append("n", i)).toList());
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  private ClientSession started() {
    ClientSession session = client.startSession();
    session.startTransaction();
    return session;
  }

  private Document figures() {
    return primary.admin(new Document("serverStatus", 1)).get("transactions", Document.class);
  }

  private List<Document> shown(Document filter) {
    Document command = new Document("currentOp", 1);
    command.putAll(filter);
    return primary.admin(command).getList("inprog", Document.class);
  }

  private static BsonDocument sessionOf(ClientSession session) {
    return session.getServerSession().getIdentifier();
  }

  @Test
  void writesAreVisibleWithTheCommitOnly() {
    try (ClientSession session = started()) {
      collection.insertOne(session, new Document("_id", "new"));
      collection.updateOne(session, Filters.eq(1), Updates.set("n", 100));
      collection.deleteOne(session, Filters.eq(2));
      assertThat(collection.find(session, Filters.eq("n", 100)).first()).containsEntry("_id", 1);
      assertThat(collection.countDocuments(session)).isEqualTo(20);
      assertThat(collection.find(Filters.eq("new")).first()).isNull();
      assertThat(collection.find(Filters.eq(2)).first()).isNotNull();
      session.commitTransaction();
      session.commitTransaction();
    }
    assertThat(collection.find(Filters.eq("new")).first()).isNotNull();
    assertThat(collection.find(Filters.eq(1)).first()).containsEntry("n", 100);
    assertThat(collection.find(Filters.eq(2)).first()).isNull();
  }

  @Test
  void anAbortLeavesNothing() {
    try (ClientSession session = started()) {
      collection.insertOne(session, new Document("_id", "new"));
      session.abortTransaction();
      assertThat(collection.find(Filters.eq("new")).first()).isNull();
      session.startTransaction();
      collection.insertOne(session, new Document("_id", "new"));
      session.commitTransaction();
    }
    assertThat(collection.find(Filters.eq("new")).first()).isNotNull();
  }

  @Test
  void theSecondWriterOfADocumentMayTryAgain() {
    try (ClientSession first = started();
        ClientSession second = started()) {
      collection.updateOne(first, Filters.eq(1), Updates.inc("n", 1));
      assertThatThrownBy(() -> collection.updateOne(second, Filters.eq(1), Updates.inc("n", 1)))
          .isInstanceOfSatisfying(
              MongoCommandException.class,
              e -> {
                assertThat(e.getErrorCode()).isEqualTo(112);
                assertThat(e.hasErrorLabel(TRANSIENT)).isTrue();
              });
      assertThatThrownBy(() -> collection.find(second, Filters.eq(3)).first())
          .isInstanceOfSatisfying(
              MongoCommandException.class,
              e -> {
                assertThat(e.getErrorCode()).isEqualTo(251);
                assertThat(e.hasErrorLabel(TRANSIENT)).isTrue();
              });
      first.commitTransaction();
    }
    assertThat(collection.find(Filters.eq(1)).first()).containsEntry("n", 2);
  }

  @Test
  void contendingClientsAllSucceedInTheEnd() {
    int clients = 4;
    int rounds = 5;
    var attempts = new AtomicInteger();
    List<CompletableFuture<Void>> all =
        IntStream.range(0, clients)
            .mapToObj(i -> CompletableFuture.runAsync(() -> addOften(rounds, attempts)))
            .toList();
    all.forEach(CompletableFuture::join);
    assertThat(collection.find(Filters.eq(1)).first()).containsEntry("n", 1 + clients * rounds);
    assertThat(attempts.get()).isGreaterThanOrEqualTo(clients * rounds);
  }

  private void addOften(int rounds, AtomicInteger attempts) {
    try (ClientSession session = client.startSession()) {
      for (int i = 0; i < rounds; i++) {
        session.withTransaction(
            () -> {
              attempts.incrementAndGet();
              int seen = collection.find(session, Filters.eq(1)).first().getInteger("n");
              return collection.updateOne(session, Filters.eq(1), Updates.set("n", seen + 1));
            });
      }
    }
  }

  @Test
  void aDuplicateKeyEndsTheTransaction() {
    try (ClientSession session = started()) {
      collection.insertOne(session, new Document("_id", "new"));
      assertThatThrownBy(() -> collection.insertOne(session, new Document("_id", 1)))
          .isInstanceOfSatisfying(
              MongoWriteException.class, e -> assertThat(e.getError().getCode()).isEqualTo(11000));
      assertFails(251, () -> collection.find(session).first());
    }
    try (ClientSession session = started()) {
      List<Document> batch =
          List.of(new Document("_id", "a"), new Document("_id", 1), new Document("_id", "b"));
      assertThatThrownBy(
              () -> collection.insertMany(session, batch, new InsertManyOptions().ordered(false)))
          .isInstanceOfSatisfying(
              MongoBulkWriteException.class,
              e -> {
                assertThat(e.getWriteErrors()).hasSize(1);
                assertThat(e.getWriteResult().getInsertedCount()).isEqualTo(1);
              });
    }
    assertThat(collection.countDocuments()).isEqualTo(20);
    assertThat(figures()).containsEntry("currentOpen", 0L);
  }

  @Test
  void cursorsEndWithTheirTransaction() {
    try (ClientSession session = started();
        MongoCursor<Document> cursor =
            collection.find(session).sort(new Document("_id", 1)).batchSize(5).iterator()) {
      var ids = new ArrayList<Object>();
      for (int i = 0; i < 5; i++) {
        ids.add(cursor.next().get("_id"));
      }
      collection.deleteMany(Filters.gte("_id", 10));
      for (int i = 0; i < 10; i++) {
        ids.add(cursor.next().get("_id"));
      }
      assertThat(ids).isEqualTo(IntStream.range(0, 15).boxed().toList());
      long id = cursor.getServerCursor().getId();
      session.commitTransaction();
      assertFails(
          43,
          () ->
              database.runCommand(session, new Document("getMore", id).append("collection", "c")));
    }
  }

  @Test
  void killedSessionsEndTheirTransactions() {
    for (String command : List.of("killSessions", "endSessions")) {
      try (ClientSession session = started()) {
        collection.insertOne(session, new Document("_id", "new"));
        Document idle =
            shown(new Document("type", "idleSession")).stream()
                .filter(each -> each.get("lsid", Document.class).get("id") != null)
                .findFirst()
                .orElseThrow();
        Document transaction = idle.get("transaction", Document.class);
        assertThat(transaction.get("parameters", Document.class))
            .containsEntry("autocommit", false);
        assertThat(figures()).containsEntry("currentOpen", 1L).containsEntry("currentInactive", 1L);
        primary.admin(new Document(command, List.of(sessionOf(session))));
        assertThat(figures())
            .containsEntry("currentOpen", 0L)
            .containsEntry("currentLatches", 0L)
            .containsEntry("currentSnapshots", 0L)
            .containsEntry("currentBufferedBytes", 0L);
        assertFails(251, session::commitTransaction);
      }
    }
    assertThat(collection.find(Filters.eq("new")).first()).isNull();
  }

  @Test
  void aTransactionEndsWithItsLifetime() {
    primary.admin(new Document("setParameter", 1).append("transactionLifetimeLimitSeconds", 1));
    try (ClientSession session = started()) {
      collection.updateOne(session, Filters.eq(1), Updates.set("n", 100));
      Eventually.passes(
          Duration.ofSeconds(60),
          () ->
              assertThat(figures())
                  .containsEntry("currentOpen", 0L)
                  .containsEntry("currentLatches", 0L));
      assertFails(251, () -> collection.find(session).first());
    } finally {
      primary.admin(new Document("setParameter", 1).append("transactionLifetimeLimitSeconds", 60));
    }
    collection.updateOne(Filters.eq(1), Updates.set("n", 7));
    assertThat(collection.find(Filters.eq(1)).first()).containsEntry("n", 7);
  }

  @Test
  void readConcernsAndTheWriteConcernOfTheCommit() {
    for (ReadConcern concern :
        List.of(ReadConcern.LOCAL, ReadConcern.MAJORITY, ReadConcern.SNAPSHOT)) {
      TransactionOptions options =
          TransactionOptions.builder()
              .readConcern(concern)
              .writeConcern(new WriteConcern(3))
              .build();
      try (ClientSession session = client.startSession()) {
        session.startTransaction(options);
        assertThat(collection.find(session, Filters.eq(1)).first()).isNotNull();
        collection.updateOne(session, Filters.eq(1), Updates.inc("n", 1));
        session.commitTransaction();
      }
    }
    for (Member member : set.members()) {
      assertThat(
              member
                  .direct()
                  .getDatabase("transactions")
                  .getCollection("c")
                  .find(Filters.eq(1))
                  .first())
          .containsEntry("n", 4);
    }
    try (ClientSession session = client.startSession()) {
      session.startTransaction(
          TransactionOptions.builder().readConcern(ReadConcern.LINEARIZABLE).build());
      assertFails(72, () -> collection.find(session).first());
    }
  }

  @Test
  void aSessionReadsWhatItHasWritten() {
    ClientSessionOptions causal = ClientSessionOptions.builder().causallyConsistent(true).build();
    try (ClientSession session = client.startSession(causal)) {
      for (int i = 0; i < 10; i++) {
        collection.updateOne(session, Filters.eq(1), Updates.set("n", 100 + i));
        session.startTransaction();
        assertThat(collection.find(session, Filters.eq(1)).first()).containsEntry("n", 100 + i);
        collection.updateOne(session, Filters.eq(2), Updates.set("n", 100 + i));
        session.commitTransaction();
        assertThat(collection.find(session, Filters.eq(2)).first()).containsEntry("n", 100 + i);
      }
    }
  }

  @Test
  void newCollectionsHaveTheirCollationAndIndexesAtOnce() {
    MongoCollection<Document> created = database.getCollection("later");
    Bson likeB = Filters.eq("x", "B");
    try (ClientSession session = started()) {
      database.createCollection(
          session,
          "later",
          new CreateCollectionOptions()
              .collation(
                  Collation.builder()
                      .locale("en")
                      .collationStrength(CollationStrength.SECONDARY)
                      .build()));
      created.createIndex(session, Indexes.geo2dsphere("at"));
      created.insertOne(session, Document.parse("{_id: 'a', x: 'b', l: ['p', 'q'], at: [1, 2]}"));
      created.insertOne(session, Document.parse("{_id: 'c', x: 'B', l: ['Q']}"));
      assertThat(created.find(session, likeB)).hasSize(2);
      assertThat(created.find(session, Filters.eq("A"))).hasSize(1);
      assertThat(created.find(session, Filters.eq("A")).collation(SIMPLE)).isEmpty();
      assertThat(created.find(session, Filters.eq("a")).collation(SIMPLE)).hasSize(1);
      assertThat(created.distinct(session, "x", String.class)).hasSize(1);
      assertThat(created.countDocuments(session, likeB)).isEqualTo(2);
      assertThat(created.aggregate(session, List.of(Aggregates.group("$x")))).hasSize(1);
      assertThat(created.aggregate(session, List.of(Aggregates.match(likeB)))).hasSize(2);
      assertThat(created.aggregate(session, List.of(Document.parse(NEAR)))).hasSize(1);
      created.updateMany(session, likeB, Updates.pull("l", "Q"));
      assertThat(created.find(session, Filters.size("l", 0))).hasSize(1);
      Bson same = Document.parse("{$set: {same: {$eq: ['$x', 'B']}}}");
      created.updateMany(session, likeB, List.of(same));
      assertThat(created.find(session, Filters.eq("same", true))).hasSize(2);
      created.findOneAndUpdate(session, Filters.eq("C"), Updates.pull("l", "none"));
      Bson parsed = Filters.expr(Document.parse("{$eq: ['$x', 'B']}"));
      assertThat(created.findOneAndDelete(session, Filters.and(Filters.eq("A"), parsed)))
          .isNotNull();
      session.commitTransaction();
    }
    assertThat(created.find(likeB)).hasSize(1);
  }

  @Test
  void committedTransactionsAreRecorded() {
    try (ClientSession session = started()) {
      collection.insertOne(session, new Document("_id", "new"));
      session.commitTransaction();
      BsonDocument id = sessionOf(session);
      Document recorded =
          client
              .getDatabase("config")
              .getCollection("transactions")
              .find(Filters.eq("_id.id", id.get("id")))
              .first();
      assertThat(recorded)
          .containsEntry("state", "committed")
          .containsEntry("txnNum", session.getServerSession().getTransactionNumber());
    }
  }

  private static void assertFails(int code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(MongoException.class, e -> assertThat(e.getCode()).isEqualTo(code));
  }
}
