package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes of the shards between which a range moves, at the end of the migration. */
class RecipientWritesTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final int DOCUMENTS = 30;
  private static int databases;

  private String namespace;
  private MongoCollection<Document> collection;

  /** Keys below 10 are the recipient's, the next ones are to come and join them. */
  @BeforeEach
  void prepare() {
    String database = "recipient" + databases++;
    namespace = database + ".c";
    CLUSTER.create(database, 0);
    CLUSTER.admin("{shardCollection: '%s', key: {k: 1}}".formatted(namespace));
    collection = CLUSTER.collection(namespace);
    collection.insertMany(
        IntStream.range(0, DOCUMENTS)
            .mapToObj(i -> new Document("_id", i).append("k", i).append("n", 0))
            .toList());
    move(0);
  }

  private void move(int from) {
    CLUSTER.admin(
        "{moveRange: '%s', min: {k: %d}, max: {k: %d}, toShard: 'shard1'}"
            .formatted(namespace, from, from + 10));
  }

  private static void onDonor(String mode) {
    CLUSTER
        .onShard(0, "admin")
        .runCommand(
            Document.parse(
                ("{configureFailPoint: 'coordinatorPhase', mode: %s,"
                        + " data: {point: 'migration.decide', action: 'hang'}}")
                    .formatted(mode)));
  }

  private static long operations(String command) {
    return operations(1, command);
  }

  private static long operations(int shard, String command) {
    Document reply =
        CLUSTER
            .onShard(shard, "admin")
            .runCommand(new Document("currentOp", 1).append("command." + command, exists()));
    return reply.getList("inprog", Document.class).size();
  }

  private static Document exists() {
    return new Document("$exists", true);
  }

  private static CompletableFuture<Void> started(Runnable action) {
    return CompletableFuture.runAsync(action, run -> Thread.ofVirtual().start(run));
  }

  private interface Held {
    void run(ClientSession transaction, MongoCollection<Document> ofTransaction) throws Exception;
  }

  /** Runs something with a transaction that has changed the document with a key, and aborts it. */
  private void withTransaction(int key, Held work) throws Exception {
    try (MongoClient client = MongoClients.create(CLUSTER.cluster().uri());
        ClientSession session = client.startSession()) {
      MongoCollection<Document> other =
          client
              .getDatabase(collection.getNamespace().getDatabaseName())
              .getCollection(collection.getNamespace().getCollectionName());
      session.startTransaction();
      other.updateOne(session, Filters.eq("k", key), Updates.inc("n", 1));
      try {
        work.run(session, other);
      } finally {
        if (session.hasActiveTransaction()) {
          session.abortTransaction();
        }
      }
    }
  }

  /** Moves a range whose recipient is ready, and runs something before the donor decides. */
  private CompletableFuture<Void> movedBeforeTheDecision(Runnable work) {
    onDonor("'alwaysOn'");
    try {
      CompletableFuture<Void> moved = started(() -> move(10));
      CLUSTER.await(
          "the recipient is ready",
          () ->
              CLUSTER.onShard(1, "config").getCollection("shard.catalog.moves").countDocuments()
                  == 1);
      work.run();
      return moved;
    } finally {
      onDonor("'off'");
    }
  }

  /** Runs something while the donor has decided, and the recipient has heard of it twice. */
  private void whileTheRecipientIsTold(Held work) throws Exception {
    withTransaction(
        4,
        (session, other) -> {
          CompletableFuture<Void> moved =
              movedBeforeTheDecision(
                  () ->
                      onRecipient(
                          "failCommands: ['_shardsvrRecvCommit'], blockConnection: true,"
                              + " blockTimeMS: 5000",
                          2));
          // One of the thread that has decided, and one of the loop that delivers outcomes.
          CLUSTER.await("the outcome was told twice", () -> operations("_shardsvrRecvCommit") >= 2);
          work.run(session, other);
          moved.get(60, TimeUnit.SECONDS);
        });
  }

  /** The range is neither on the donor nor on the recipient until the recipient takes it over. */
  @Test
  void aWriteOfManyDocumentsDoesNotHoldUpTheTakeOver() throws Exception {
    withTransaction(
        4,
        (session, other) -> {
          var writes = new ArrayList<CompletableFuture<Void>>();
          CompletableFuture<Void> moved =
              movedBeforeTheDecision(
                  () -> {
                    writes.add(
                        started(
                            () -> collection.updateMany(Filters.lt("k", 10), Updates.inc("n", 1))));
                    CLUSTER.await("a write that waits", () -> operations("update") == 1);
                    // Others go on.
                    collection.updateOne(Filters.eq("k", 5), Updates.inc("m", 1));
                  });
          moved.get(60, TimeUnit.SECONDS);
          collection.updateOne(Filters.eq("k", 15), Updates.inc("m", 1));
          session.abortTransaction();
          writes.getFirst().get(60, TimeUnit.SECONDS);
        });
    assertThat(collection.countDocuments(Filters.eq("n", 1))).isEqualTo(10);
    assertThat(collection.countDocuments(Filters.eq("m", 1))).isEqualTo(2);
  }

  private static Document donorFigures() {
    return CLUSTER
        .onShard(0, "admin")
        .runCommand(Document.parse("{serverStatus: 1}"))
        .get("shardingStatistics", Document.class);
  }

  private static long millisOfTheEnd() {
    Document filter =
        Document.parse("{currentOp: 1, 'migration.stepMillis.criticalSection': {$gt: 0}}");
    return CLUSTER.onShard(0, "admin").runCommand(filter).getList("inprog", Document.class).stream()
        .map(each -> each.get("migration", Document.class).get("stepMillis", Document.class))
        .mapToLong(each -> each.getLong("criticalSection"))
        .max()
        .orElse(0);
  }

  /** Otherwise all writers would wait behind it, again and again. */
  @ParameterizedTest
  @ValueSource(ints = {4, 14})
  void theEndDoesNotBeginWhileAWriteOfManyDocumentsIsUnderWay(int key) throws Exception {
    Document before = donorFigures();
    withTransaction(
        key,
        (session, other) -> {
          int first = key / 10 * 10;
          CompletableFuture<Void> waits =
              started(
                  () ->
                      collection.updateMany(
                          Filters.and(Filters.gte("k", first), Filters.lt("k", first + 10)),
                          Updates.inc("n", 1)));
          int shard = key < 10 ? 1 : 0;
          CLUSTER.await("a write that waits", () -> operations(shard, "update") == 1);
          CompletableFuture<Void> moved = started(() -> move(10));
          CLUSTER.await("several attempts", () -> millisOfTheEnd() > 2500);
          collection.updateOne(Filters.eq("k", 25), Updates.inc("m", 1));
          assertThat(moved).isNotDone();
          assertThat(donorFigures().getLong("totalCriticalSectionTimeMillis"))
              .isEqualTo(before.getLong("totalCriticalSectionTimeMillis"));
          session.abortTransaction();
          waits.get(60, TimeUnit.SECONDS);
          moved.get(60, TimeUnit.SECONDS);
        });
    assertThat(donorFigures().getLong("countDonorMoveChunkLockTimeout"))
        .isEqualTo(before.getLong("countDonorMoveChunkLockTimeout"));
    assertThat(collection.countDocuments(Filters.eq("n", 1))).isEqualTo(10);
  }

  private static long orphans(int shard, String namespace) {
    int dot = namespace.indexOf('.');
    Document stats =
        CLUSTER
            .onShard(shard, namespace.substring(0, dot))
            .runCommand(new Document("collStats", namespace.substring(dot + 1)));
    return ((Number) stats.get("numOrphanDocs")).longValue();
  }

  /** Otherwise the range is taken over twice, and counted twice. */
  @Test
  void anOutcomeThatIsToldTwiceIsTakenOnce() throws Exception {
    whileTheRecipientIsTold((session, other) -> {});
    assertThat(orphans(1, namespace)).isZero();
    assertThat(collection.countDocuments()).isEqualTo(DOCUMENTS);
    assertThat(collection.estimatedDocumentCount()).isEqualTo(DOCUMENTS);
    assertThat(
            CLUSTER
                .onShard(1, "config")
                .getCollection("shard.catalog.chunks")
                .countDocuments(Filters.eq("_id.ns", namespace)))
        .isOne();
  }

  /** What has the outcome wait may wait for what the transaction has written. */
  @Test
  void aStatementOfATransactionDoesNotWaitForTheOutcome() throws Exception {
    whileTheRecipientIsTold(
        (session, other) -> {
          // The router hears of the move from the donor.
          assertThat(collection.find(Filters.eq("k", 25)).first()).isNotNull();
          assertThatThrownBy(
                  () -> other.updateOne(session, Filters.eq("k", 6), Updates.inc("n", 1)))
              .isInstanceOfSatisfying(
                  MongoException.class,
                  e ->
                      assertThat(e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                          .isTrue());
        });
    assertThat(collection.countDocuments(Filters.eq("n", 1))).isZero();
  }

  private static void onRecipient(String what, int times) {
    CLUSTER
        .onShard(1, "admin")
        .runCommand(
            Document.parse(
                "{configureFailPoint: 'failCommand', mode: {times: %d}, data: {%s}}"
                    .formatted(times, what)));
  }

  /** The oplog names a changed document once: what did not reach the recipient is sent again. */
  @Test
  void aDeleteThatDoesNotReachTheRecipientIsSentAgain() throws Exception {
    Runnable goOn = CLUSTER.hold("moveRange.flip.before");
    CompletableFuture<Void> moved = started(() -> move(10));
    CLUSTER.awaitPhase("moveRange", "flip");
    onRecipient("failCommands: ['_shardsvrRecvCalm'], blockConnection: true, blockTimeMS: 2000", 1);
    goOn.run();
    // On a machine that is too slow to see it the migration goes on, and nothing is shown.
    CLUSTER.await(
        "the last call before writers wait",
        () -> operations("_shardsvrRecvCalm") > 0 || moved.isDone());
    onRecipient("failCommands: ['_shardsvrRecvDeletes'], errorCode: 50", 1);
    collection.deleteOne(Filters.eq("k", 15));
    moved.get(60, TimeUnit.SECONDS);
    CLUSTER
        .onShard(1, "admin")
        .runCommand(Document.parse("{configureFailPoint: 'failCommand', mode: 'off'}"));
    assertThat(collection.countDocuments(Filters.eq("k", 15))).isZero();
    assertThat(collection.countDocuments()).isEqualTo(DOCUMENTS - 1);
  }

  /**
   * Rule H13: a document that is deleted and inserted again with another key may meet its copy,
   * which has yet to hear of the deletion. The migration gives way, and no document is lost.
   */
  @Test
  void anInsertEndsAMigrationThatHasBroughtItsIdentifier() throws Exception {
    Runnable goOn = CLUSTER.hold("moveRange.flip.before");
    CompletableFuture<Void> moved = started(() -> move(10));
    CLUSTER.awaitPhase("moveRange", "flip");
    collection.deleteOne(Filters.eq("k", 15));
    collection.insertOne(new Document("_id", 15).append("k", 5));
    goOn.run();
    assertThatThrownBy(() -> moved.get(60, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(MongoException.class);
    assertThat(collection.find(Filters.eq("_id", 15)).map(each -> each.getInteger("k")))
        .containsExactly(5);
    assertThat(collection.countDocuments()).isEqualTo(DOCUMENTS);
    move(10);
    assertThat(collection.countDocuments()).isEqualTo(DOCUMENTS);
  }
}
