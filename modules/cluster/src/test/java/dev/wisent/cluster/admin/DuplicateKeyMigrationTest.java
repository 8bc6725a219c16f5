package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Rule H13: the recipient of a range owns a document with the {@code _id} of one that is to come.
 * The migration ends with an error that says so, and both documents stay.
 */
class DuplicateKeyMigrationTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final int DUPLICATE_KEY = 11000;
  private static int databases;

  private String namespace;
  private MongoCollection<Document> collection;

  /** Keys below 100 are on shard0, the others on shard1. */
  @BeforeEach
  void prepare() {
    String database = "duplicate" + databases++;
    namespace = database + ".c";
    CLUSTER.create(database, 0);
    CLUSTER.admin("{shardCollection: '%s', key: {k: 1}}".formatted(namespace));
    CLUSTER.admin("{moveRange: '%s', min: {k: 100}, toShard: 'shard1'}".formatted(namespace));
    collection = CLUSTER.collection(namespace);
    collection.insertMany(IntStream.range(0, 20).mapToObj(i -> document(i, i)).toList());
    collection.insertMany(IntStream.range(100, 110).mapToObj(i -> document(i, i)).toList());
  }

  @AfterEach
  void stop() {
    CLUSTER.admin("{balancerStop: 1}");
  }

  private static Document document(int id, int key) {
    return new Document("_id", id).append("k", key);
  }

  private String command() {
    return "{moveRange: '%s', min: {k: 0}, max: {k: 100}, toShard: 'shard1'}".formatted(namespace);
  }

  private BsonDocument move() {
    return CLUSTER.admin(command());
  }

  private BsonDocument failToMove() {
    return CLUSTER.fail("admin", command());
  }

  private static void assertTold(String message) {
    assertThat(message)
        .contains("the recipient owns another document")
        .contains("with the same unique key")
        .contains("E11000");
  }

  /** All documents are there, nothing is left of the migration, and it can be made afterwards. */
  private void assertKept(int... keysOfFive) {
    List<Integer> keys =
        collection
            .find(Filters.eq(5))
            .sort(Sorts.ascending("k"))
            .map(each -> each.getInteger("k"))
            .into(new ArrayList<>());
    assertThat(keys).isEqualTo(IntStream.of(keysOfFive).boxed().toList());
    assertThat(collection.countDocuments()).isEqualTo(30 + keysOfFive.length - 1);
    assertThat(collection.estimatedDocumentCount()).isEqualTo(30 + keysOfFive.length - 1);
    assertThat(CLUSTER.metadata("migrations").countDocuments()).isZero();
    for (String name : List.of("migrationCoordinators", "migrationRecipients")) {
      assertThat(CLUSTER.onShard(0, "config").getCollection(name).countDocuments()).isZero();
      assertThat(CLUSTER.onShard(1, "config").getCollection(name).countDocuments()).isZero();
    }
  }

  private void assertMovableWithoutTheOther() {
    collection.deleteOne(Filters.and(Filters.eq(5), Filters.eq("k", 155)));
    move();
    assertThat(collection.countDocuments()).isEqualTo(30);
    assertThat(collection.find(Filters.eq("k", 5)).first()).containsEntry("_id", 5);
  }

  @Test
  void oneOfTheFirstCopyEndsTheMigration() {
    collection.insertOne(document(5, 155));
    BsonDocument error = failToMove();
    assertThat(error.getInt32("code").getValue()).isEqualTo(DUPLICATE_KEY);
    assertTold(error.getString("errmsg").getValue());
    assertKept(5, 155);
    assertMovableWithoutTheOther();
  }

  @Test
  void oneThatComesToTheDonorEndsTheMigration() throws Exception {
    collection.deleteOne(Filters.eq("k", 5));
    collection.insertOne(document(5, 155));
    BsonDocument error = whileCopied(this::failToMove, () -> collection.insertOne(document(5, 5)));
    assertThat(error.getInt32("code").getValue()).isEqualTo(DUPLICATE_KEY);
    assertTold(error.getString("errmsg").getValue());
    assertKept(5, 155);
    assertMovableWithoutTheOther();
  }

  @Test
  void oneThatComesToTheRecipientEndsTheMigration() throws Exception {
    BsonDocument error =
        whileCopied(this::failToMove, () -> collection.insertOne(document(5, 155)));
    assertThat(error.getString("errmsg").getValue()).contains("does not know the migration");
    assertKept(5, 155);
    assertMovableWithoutTheOther();
  }

  /** What the recipient has of it is a copy of the document that goes there. */
  @Test
  void aTransactionThatTakesADocumentToTheRecipientEndsTheMigration() throws Exception {
    Bson five = Filters.and(Filters.eq(5), Filters.eq("k", 5));
    try (MongoClient client = MongoClients.create(CLUSTER.cluster().uri());
        ClientSession session = client.startSession()) {
      MongoCollection<Document> other = collectionOf(client);
      var unused =
          whileCopied(
              this::failToMove,
              () -> {
                session.startTransaction();
                assertMayBeTriedAgain(() -> other.updateOne(session, five, Updates.set("k", 155)));
                session.abortTransaction();
              });
      long modified =
          session.withTransaction(
              () -> other.updateOne(session, five, Updates.set("k", 155)).getModifiedCount());
      assertThat(modified).isOne();
    }
    assertKept(155);
  }

  /** The transaction reads a state in which the copy of the document was not owned yet. */
  @Test
  void aTransactionThatHasDeletedADocumentIsNotRefusedByItsCopy() throws Exception {
    TransactionOptions snapshot =
        TransactionOptions.builder().readConcern(ReadConcern.SNAPSHOT).build();
    try (MongoClient client = MongoClients.create(CLUSTER.cluster().uri());
        ClientSession session = client.startSession()) {
      MongoCollection<Document> other = collectionOf(client);
      var moved =
          whileCopied(
              this::move,
              () -> {
                session.startTransaction(snapshot);
                assertThat(other.deleteOne(session, Filters.eq("k", 5)).getDeletedCount()).isOne();
              });
      assertThat(moved.getNumber("ok").intValue()).isOne();
      assertMayBeTriedAgain(() -> other.insertOne(session, document(5, 155)));
      session.abortTransaction();
    }
    assertKept(5);
  }

  /** As another client sees it, whose sessions it can be used with. */
  private MongoCollection<Document> collectionOf(MongoClient client) {
    return client
        .getDatabase(collection.getNamespace().getDatabaseName())
        .getCollection(collection.getNamespace().getCollectionName());
  }

  private static void assertMayBeTriedAgain(ThrowingCallable statement) {
    assertThatThrownBy(statement)
        .isInstanceOf(MongoException.class)
        .matches(
            e ->
                ((MongoException) e)
                    .hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL),
            "may be tried again");
  }

  /** Runs something when the first copy is complete; the reply to the migration. */
  private static BsonDocument whileCopied(Supplier<BsonDocument> migration, Runnable change)
      throws Exception {
    Runnable release = CLUSTER.hold("moveRange.flip.before");
    CompletableFuture<BsonDocument> reply = CompletableFuture.supplyAsync(migration);
    try {
      CLUSTER.awaitPhase("moveRange", "flip");
      change.run();
    } finally {
      release.run();
    }
    return reply.get(60, TimeUnit.SECONDS);
  }

  /** It would fail for ever. */
  @Test
  void theBalancerDoesNotTryAgain() {
    collection.insertOne(document(5, 155));
    CLUSTER.config("{setParameter: 1, balancerMigrationsThrottlingMs: 0}");
    CLUSTER.admin("{addShardToZone: 'shard1', zone: 'one'}");
    CLUSTER.admin(
        "{updateZoneKeyRange: '%s', min: {k: 0}, max: {k: 100}, zone: 'one'}".formatted(namespace));
    long failed = figure("numMigrationsFailed");
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await("the error", () -> figure("numMigrationsFailed") > failed);
    for (int i = 0; i < 3; i++) {
      long before = CLUSTER.admin("{balancerStatus: 1}").getInt64("numBalancerRounds").getValue();
      // A change of zones has the next round begin.
      CLUSTER.admin("{addShardToZone: 'shard0', zone: 'other%d'}".formatted(i));
      CLUSTER.await(
          "another round",
          () ->
              CLUSTER.admin("{balancerStatus: 1}").getInt64("numBalancerRounds").getValue()
                  > before);
    }
    CLUSTER.admin("{balancerStop: 1}");
    assertThat(figure("numMigrationsFailed"))
        .as("at most once more, after half a minute")
        .isBetween(failed + 1, failed + 2);
    BsonDocument line =
        CLUSTER
            .metadata("changelog")
            .find(Filters.and(Filters.eq("what", "moveChunk.error"), Filters.eq("ns", namespace)))
            .first();
    assertTold(line.getDocument("details").toJson());
    assertKept(5, 155);
    collection.deleteOne(Filters.and(Filters.eq(5), Filters.eq("k", 155)));
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await(
        "the zone",
        () ->
            CLUSTER
                .admin("{balancerCollectionStatus: '%s'}".formatted(namespace))
                .getBoolean("balancerCompliant")
                .getValue());
    assertThat(collection.countDocuments()).isEqualTo(30);
  }

  private static long figure(String name) {
    return CLUSTER.config("{serverStatus: 1}").get("balancer", Document.class).getLong(name);
  }
}
