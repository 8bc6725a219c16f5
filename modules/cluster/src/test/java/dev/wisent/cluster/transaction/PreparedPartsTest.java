package dev.wisent.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBinarySubType;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards that have prepared find the outcome where no coordinator sends it. */
class PreparedPartsTest {
  private static final int DEADLINE_SECONDS = 120;

  @TempDir static Path directory;
  private static TransactionCluster cluster;
  private static CommitFaults faults;

  @BeforeAll
  static void start() {
    cluster = new TransactionCluster(2, directory);
    faults = new CommitFaults(cluster);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static void awaitEnd() {
    CommitFaults.awaitUntil(
        "outcome of all parts", () -> faults.prepared(0) + faults.prepared(1) == 0);
  }

  /** The coordinator has decided and died, and no other one goes on in its place. */
  @Test
  void aDecisionIsLearned() throws Exception {
    MongoCollection<Document> accounts = faults.accounts("learned");
    long before = faults.learned(1, "learnedCommits");
    long crashes = faults.crashes();
    faults.crashAt("commitTransaction.commit.before");
    CompletableFuture<Void> commit = faults.transfer(accounts);
    CommitFaults.awaitUntil("crash", () -> faults.crashes() > crashes);
    awaitEnd();
    commit.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    CommitFaults.awaitUntil(
        "count of the outcome", () -> faults.learned(1, "learnedCommits") == before + 1);
    CommitFaults.assertValues(accounts, 7, 13);
    faults.electAgain(0);
    CommitFaults.awaitUntil("end", () -> faults.coordinators() == 0);
    CommitFaults.assertValues(accounts, 7, 13);
    accounts.updateMany(new Document(), Updates.inc("x", 1));
    CommitFaults.assertValues(accounts, 8, 14);
  }

  /** A shard is down while the decision is sent, and what told it is gone when it is back. */
  @Test
  void aCommitIsLearnedFromTheSessionWhereTheDecisionIsGone() throws Exception {
    MongoCollection<Document> accounts = faults.accounts("forgotten");
    faults.stopAsking(1);
    faults.crashAt("commitTransaction.commit.before");
    CompletableFuture<Void> commit = faults.transfer(accounts);
    CommitFaults.awaitUntil("decision", () -> faults.decisions() == 1);
    CommitFaults.awaitUntil("commit of one", () -> faults.prepared(0) == 0);
    assertThat(faults.documents().deleteMany(new Document()).getDeletedCount()).isEqualTo(1);
    faults.electAgain(1);
    assertThat(faults.prepared(1)).isEqualTo(1);
    CommitFaults.awaitUntil("turns that fail", () -> faults.crashes(1) > 1);
    faults.goOn(1);
    awaitEnd();
    commit.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    CommitFaults.assertValues(accounts, 7, 13);
  }

  /** All have prepared, nothing is decided, and no coordinator knows of it any more. */
  @Test
  void whatNoCoordinatorKnowsIsAborted() {
    MongoCollection<Document> accounts = faults.accounts("unknown");
    long crashes = faults.crashes();
    faults.crashAt("commitTransaction.prepare.after");
    CompletableFuture<Void> commit = faults.transfer(accounts);
    CommitFaults.awaitUntil("crash", () -> faults.crashes() > crashes);
    assertThat(faults.prepared(1)).isEqualTo(1);
    assertThat(faults.documents().deleteMany(new Document()).getDeletedCount()).isEqualTo(1);
    awaitEnd();
    assertThatThrownBy(() -> commit.get(DEADLINE_SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(MongoException.class)
        .hasMessageContaining("aborted");
    accounts.updateMany(new Document(), Updates.inc("x", 1));
    CommitFaults.assertValues(accounts, 11, 11);
    CommitFaults.awaitUntil("end", () -> faults.coordinators() == 0);
  }

  /** H10: the answer that it is aborted holds, whatever comes late. */
  @Test
  void anUnknownTransactionIsClosedBeforeTheAnswer() {
    Document lsid = lsid();
    assertThat(outcome(lsid, 5)).isEqualTo("abort");
    faults.electAgain(0);
    assertThat(outcome(lsid, 5)).isEqualTo("abort");
    Document late =
        Document.parse("{insert: 'late', documents: [{_id: 1}], startTransaction: true}");
    assertThat(raw("crash", late, lsid, 5).getInteger("code")).isEqualTo(117);
    Document prepare = new Document("prepareTransaction", 1).append("coordinatorId", "shard0");
    assertThat(raw("admin", prepare, lsid, 5).getInteger("code")).isEqualTo(251);
    Document coordinate =
        new Document("coordinateCommitTransaction", 1)
            .append("participants", List.of(new Document("shardId", "shard0")));
    assertThat(raw("admin", coordinate, lsid, 5).getInteger("code")).isEqualTo(251);
    assertThat(outcome(lsid, 4)).isEqualTo("unknown");
    assertThat(outcome(lsid, 6)).isEqualTo("abort");
  }

  @Test
  void aCommitThatHasEndedIsToldAgain() {
    Document lsid = lsid();
    faults.accounts("again");
    Document insert =
        Document.parse("{insert: 'again', documents: [{_id: 50}], startTransaction: true}");
    assertThat(raw("crash", insert, lsid, 1)).containsEntry("ok", 1.0);
    Document prepare = new Document("prepareTransaction", 1).append("coordinatorId", "shard1");
    faults.stopAsking(0);
    Document prepared = raw("admin", prepare, lsid, 1);
    var commit =
        new Document("commitTransaction", 1)
            .append("commitTimestamp", prepared.get("prepareTimestamp", BsonTimestamp.class));
    assertThat(raw("admin", commit, lsid, 1)).containsEntry("ok", 1.0);
    faults.goOn(0);
    assertThat(outcome(lsid, 1)).isEqualTo("commit");
  }

  private static Document lsid() {
    UUID id = UUID.randomUUID();
    ByteBuffer bytes =
        ByteBuffer.allocate(16)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits());
    return new Document("id", new Binary(BsonBinarySubType.UUID_STANDARD, bytes.array()));
  }

  private static Document raw(String database, Document command, Document lsid, long number) {
    command.append("lsid", lsid).append("txnNumber", number).append("autocommit", false);
    return cluster.raw(cluster.shardAddress(0), database, command);
  }

  private static String outcome(Document lsid, long number) {
    Document reply =
        cluster.raw(
            cluster.shardAddress(0),
            "admin",
            new Document("_shardsvrTransactionOutcomes", 1)
                .append(
                    "transactions",
                    List.of(new Document("lsid", lsid).append("txnNumber", number))));
    return reply.getList("outcomes", Document.class).getFirst().getString("outcome");
  }
}
