package dev.wisent.database.transaction;

import static dev.wisent.database.transaction.TestTransaction.error;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Finds;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.definition.NodeDefinitions;
import dev.wisent.operation.DuplicateKeyException;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.operation.definition.CreateIndexesRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransactionTest {
  private static final Namespace OPLOG = new Namespace("local", "oplog.rs");

  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.openWithOplog(directory);
    database.create("{}");
  }

  @AfterEach
  void close() {
    database.database().transactions().abortAll(any -> true, ErrorCode.INTERRUPTED);
    database.assertValid();
    database.assertNothingLeaks();
    database.close();
  }

  private TestTransaction transaction() {
    return TestTransaction.of(database);
  }

  @Test
  void writesAreSeenInsideAtOnceAndOutsideAfterTheCommit() {
    database.insert("{_id: 1, n: 1}", "{_id: 2, n: 2}");
    database.createIndex("{n: 1}");
    var transaction = transaction().insert("{_id: 3, n: 3}");
    transaction.update("{_id: 1}", "{$inc: {n: 10}}");
    transaction.delete("{n: 2}", false);
    for (String filter : List.of("{}", "{n: {$gt: 0}}", "{_id: {$gt: 0}}")) {
      assertThat(transaction.find(filter))
          .as(filter)
          .containsExactlyInAnyOrder("{\"_id\": 1, \"n\": 11}", "{\"_id\": 3, \"n\": 3}");
      assertThat(database.find(filter))
          .as(filter)
          .containsExactlyInAnyOrder("{\"_id\": 1, \"n\": 1}", "{\"_id\": 2, \"n\": 2}");
    }
    assertThat(transaction.find("{_id: 1}")).containsExactly("{\"_id\": 1, \"n\": 11}");
    assertThat(transaction.find("{_id: 2}")).isEmpty();
    transaction.commit();
    assertThat(database.find("{}"))
        .containsExactlyInAnyOrder("{\"_id\": 1, \"n\": 11}", "{\"_id\": 3, \"n\": 3}");
    assertThat(database.find("{_id: 2}")).isEmpty();
    assertThat(database.find("{_id: 1}")).containsExactly("{\"_id\": 1, \"n\": 11}");
  }

  @Test
  void everyStatementOfABatchSeesThoseBefore() {
    var transaction = transaction();
    WriteOutcome outcome =
        transaction.run(
            operation ->
                database
                    .database()
                    .update(
                        operation,
                        TestDatabase.request(
                            TestDatabase.statement("{_id: 1}", "{$inc: {n: 1}}", false, true),
                            TestDatabase.statement("{_id: 1}", "{$inc: {n: 1}}", false, true),
                            TestDatabase.statement("{n: 2}", "{$inc: {n: 1}}", true, false))));
    assertThat(outcome.failures()).isEmpty();
    assertThat(transaction.find("{n: 3}")).hasSize(1);
    transaction.commit();
    assertThat(database.find("{}")).containsExactly("{\"_id\": 1, \"n\": 3}");
  }

  @Test
  void aTransactionReadsOneState() {
    database.insert("{_id: 1, n: 1}");
    var transaction = transaction();
    assertThat(transaction.find("{}")).hasSize(1);
    database.insert("{_id: 2}");
    database.update("{_id: 1}", "{$set: {n: 2}}");
    assertThat(transaction.find("{}")).containsExactly("{\"_id\": 1, \"n\": 1}");
    assertThat(transaction.find("{_id: 1}")).containsExactly("{\"_id\": 1, \"n\": 1}");
    assertThat(transaction.find("{_id: 2}")).isEmpty();
    transaction.commit();
  }

  @Test
  void anAbortLeavesNothing() {
    database.insert("{_id: 1, n: 1}");
    var transaction = transaction().insert("{_id: 2, tags: [1, 2]}");
    transaction.update("{_id: 1}", "{$set: {n: 2}}");
    transaction.abort();
    assertThat(database.find("{}")).containsExactly("{\"_id\": 1, \"n\": 1}");
    assertThat(error(transaction::commit).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    database.insert("{_id: 2}");
    database.update("{_id: 1}", "{$set: {n: 3}}");
  }

  @Test
  void whoComesSecondHasAConflict() {
    database.insert("{_id: 1, n: 1}");
    var first = transaction();
    first.update("{_id: 1}", "{$inc: {n: 1}}");
    var second = transaction();
    assertConflict(() -> second.update("{_id: 1}", "{$inc: {n: 1}}"));
    assertThat(error(() -> second.find("{}")).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    first.commit();
    assertThat(database.find("{}")).containsExactly("{\"_id\": 1, \"n\": 2}");
  }

  private static void assertConflict(Runnable work) {
    CommandException error = error(work);
    assertThat(error.code()).as("%s", error.getMessage()).isEqualTo(ErrorCode.WRITE_CONFLICT);
    assertThat(error.labels()).containsExactly("TransientTransactionError");
  }

  @Test
  void aDocumentThatChangedSinceTheSnapshotIsAConflict() {
    database.insert("{_id: 1, n: 1}", "{_id: 2, n: 1}");
    var update = transaction();
    assertThat(update.find("{}")).hasSize(2);
    var delete = transaction();
    assertThat(delete.find("{}")).hasSize(2);
    database.update("{_id: 1}", "{$inc: {n: 1}}");
    database.delete("{_id: 2}", false);
    assertConflict(() -> update.update("{_id: 1}", "{$inc: {n: 1}}"));
    assertConflict(() -> delete.delete("{_id: 2}", false));
    assertThat(database.find("{}")).containsExactly("{\"_id\": 1, \"n\": 2}");
  }

  @Test
  void uniqueKeysHoldInsideAndOutside() {
    database.insert("{_id: 1, u: 1}");
    database.createIndex("{u: 1}", "unique");
    var transaction = transaction().insert("{_id: 2, u: 2}");
    transaction.update("{_id: 1}", "{$set: {u: 3}}");
    // The key that was given away inside is free inside.
    transaction.insert("{_id: 3, u: 1}");
    transaction.update("{_id: 3}", "{$set: {u: 4}}");
    transaction.insert("{_id: 4, u: 1}");
    WriteOutcome outcome = transaction.tryInsert(false, "{_id: 5, u: 2}", "{_id: 6, u: 6}");
    assertThat(outcome.failures()).hasSize(1);
    assertThat(outcome.failures().getFirst().error()).isInstanceOf(DuplicateKeyException.class);
    assertThat(error(transaction::commit).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    assertThat(database.find("{}")).containsExactly("{\"_id\": 1, \"u\": 1}");
  }

  @Test
  void aKeyThatAnotherHasTakenSinceTheSnapshotIsAConflict() {
    database.insert("{_id: 1, u: 1}");
    database.createIndex("{u: 1}", "unique");
    var byId = transaction();
    var byKey = transaction();
    byId.find("{}");
    byKey.find("{}");
    database.insert("{_id: 2, u: 2}");
    assertConflict(() -> byId.insert("{_id: 2, u: 3}"));
    assertConflict(() -> byKey.insert("{_id: 3, u: 2}"));
    var holder = transaction().insert("{_id: 7, u: 7}");
    var other = transaction();
    assertConflict(() -> other.insert("{_id: 8, u: 7}"));
    holder.abort();
  }

  @Test
  void aReplacedKeyIsCommittedForItsNewRecord() {
    database.insert("{_id: 1, u: 1}");
    database.createIndex("{u: 1}", "unique");
    var transaction = transaction();
    transaction.delete("{_id: 1}", false);
    transaction.insert("{_id: 1, u: 1, again: true}");
    transaction.commit();
    assertThat(database.find("{u: 1}")).containsExactly("{\"_id\": 1, \"u\": 1, \"again\": true}");
    assertThat(database.find("{_id: 1}")).hasSize(1);
  }

  @Test
  void theOplogHasOneEntry() {
    var transaction = transaction().insert("{_id: 1}", "{_id: 2}");
    transaction.update("{_id: 1}", "{$set: {a: 1}}");
    transaction.delete("{_id: 2}", false);
    transaction.commit();
    RawDocument entry = oplog().getLast();
    assertThat(entry.get("op").asString()).isEqualTo("c");
    assertThat(entry.get("ns").asString()).isEqualTo("admin.$cmd");
    assertThat(entry.get("txnNumber").toLong()).isEqualTo(1);
    assertThat(entry.get("lsid").asDocument()).isEqualTo(transaction.id().session().document());
    assertThat(entry.get("prevOpTime").asDocument().toJson())
        .isEqualTo(
            RawDocument.parse("{ts: {$timestamp: {t: 0, i: 0}}, t: {$numberLong: '-1'}}").toJson());
    String operations = entry.get("o").asDocument().toJson();
    assertThat(operations)
        .containsSubsequence("\"op\": \"i\"", "\"op\": \"i\"", "\"op\": \"u\"", "\"op\": \"d\"")
        .doesNotContain("partialTxn", "count");
  }

  private List<RawDocument> oplog() {
    return TestDatabase.drain(
        database.database().find(database.operation(), FindRequest.of(OPLOG, RawDocument.EMPTY)));
  }

  @Test
  void aCommitThatIsSentAgainGivesTheFirstAnswer() {
    var transaction = transaction().insert("{_id: 1}");
    transaction.commit();
    transaction.commit();
    database.reopen();
    transaction.on(database).commit();
    assertThat(database.find("{}")).hasSize(1);
    assertThat(error(() -> transaction.on(database).find("{}")).code())
        .isEqualTo(ErrorCode.TRANSACTION_COMMITTED);
    assertThat(error(() -> transaction.on(database).abort()).code())
        .isEqualTo(ErrorCode.TRANSACTION_COMMITTED);
    assertThat(error(transaction.next()::commit).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    var next = transaction.next();
    assertThat(next.find("{}")).hasSize(1);
    next.commit();
  }

  @Test
  void numbersOnlyGrow() {
    var first = transaction().insert("{_id: 1}");
    var second = first.next().insert("{_id: 2}");
    assertThat(error(first::commit).code()).isEqualTo(ErrorCode.TRANSACTION_TOO_OLD);
    assertThat(error(() -> first.find("{}")).code()).isEqualTo(ErrorCode.TRANSACTION_TOO_OLD);
    assertThat(error(() -> second.next().begun().find("{}")).code())
        .isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    second.commit();
    assertThat(database.find("{}")).containsExactly("{\"_id\": 2}");
  }

  @Test
  void aNumberStartsOneTransaction() {
    var transaction = transaction();
    var again = transaction.again();
    transaction.insert("{_id: 1}");
    assertThat(error(() -> again.find("{}")).code())
        .isEqualTo(ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS);
    transaction.commit();
  }

  @Test
  void everyKindOfReadSeesTheTransaction() {
    database.insert("{_id: 1, a: 1}", "{_id: 2, a: 2}");
    database.createIndex("{a: -1}");
    var transaction = transaction().insert("{_id: 3, a: 3}");
    assertThat(
            transaction.find(
                Finds.of("{a: {$gte: 1}}").sort("{a: 1}").projection("{_id: 0, a: 1}").toRequest()))
        .containsExactly("{\"a\": 1}", "{\"a\": 2}", "{\"a\": 3}");
    transaction.commit();
  }

  @Test
  void theCountOfDocumentsFollows() {
    var transaction = transaction().insert("{_id: 1}", "{_id: 2}");
    assertThat(database.collection().documents()).isZero();
    transaction.delete("{_id: 2}", false);
    transaction.commit();
    assertThat(database.collection().documents()).isEqualTo(1);
    database.reopen();
    assertThat(database.collection().documents()).isEqualTo(1);
  }

  @Test
  void arraysMarkTheirIndexAtOnceAndForGood() {
    database.createIndex("{a: 1}");
    var transaction = transaction().insert("{_id: 1, a: [1, 2]}");
    assertThat(transaction.find("{a: 2}")).hasSize(1);
    transaction.abort();
    database.reopen();
    assertThat(database.collection().index("a_1").isMultikey()).isTrue();
    assertThat(database.find("{a: 2}")).isEmpty();
  }

  @Test
  void aMissingCollectionIsCreatedWithTheCommit() {
    var namespace = new Namespace("test", "later");
    var transaction = transaction();
    assertThat(transaction.insertInto(namespace, true, "{_id: 1, a: [1, 2]}").failures()).isEmpty();
    var find = FindRequest.of(namespace, RawDocument.parse("{a: 2}"));
    assertThat(transaction.find(find)).hasSize(1);
    assertThat(database.database().catalog().find(namespace)).isNull();
    assertThat(database.find(find)).isEmpty();
    var other = transaction();
    assertConflict(() -> other.insertInto(namespace, true, "{_id: 2}"));
    transaction.commit();
    assertThat(database.find(find)).hasSize(1);
    assertThat(database.database().catalog().require(namespace).documents()).isEqualTo(1);
    assertThat(oplog().getLast().get("o").asDocument().toJson())
        .containsSubsequence("\"create\": \"later\"", "\"op\": \"i\"");
    database.reopen();
    assertThat(database.find(find)).hasSize(1);
  }

  @Test
  void aNameThatWasTakenMeanwhileIsAConflict() {
    var namespace = new Namespace("test", "later");
    var transaction = transaction();
    transaction.insertInto(namespace, true, "{_id: 1}");
    database.database().changes().create(namespace, RawDocument.EMPTY, database.operation());
    assertConflict(transaction::commit);
    assertThat(database.database().catalog().require(namespace).documents()).isZero();
  }

  @Test
  void aCollectionThatCameAfterTheSnapshotIsAConflict() {
    var namespace = new Namespace("test", "later");
    var transaction = transaction();
    assertThat(transaction.find("{}")).isEmpty();
    database.database().changes().create(namespace, RawDocument.EMPTY, database.operation());
    assertConflict(() -> transaction.insertInto(namespace, true, "{_id: 1}"));
  }

  @Test
  void anAbortedCollectionWasNeverThere() {
    var namespace = new Namespace("test", "later");
    var transaction = transaction();
    transaction.insertInto(namespace, true, "{_id: 1}");
    transaction.abort();
    assertThat(database.database().catalog().find(namespace)).isNull();
    assertThat(database.find(FindRequest.of(namespace, RawDocument.EMPTY))).isEmpty();
  }

  @Test
  void indexesAreCreatedOnNewCollections() {
    var namespace = new Namespace("test", "later");
    var definitions = new NodeDefinitions(NodeDatabase.standalone(database.database()));
    RawDocument spec = TestDatabase.indexSpec(RawDocument.parse("{u: 1}"), "unique");
    var request = new CreateIndexesRequest(namespace, List.of(spec));
    var transaction = transaction();
    transaction.run(operation -> definitions.createIndexes(operation, request));
    transaction.insertInto(namespace, true, "{_id: 1, u: 1}");
    assertThat(transaction.find(FindRequest.of(namespace, RawDocument.parse("{u: 1}")))).hasSize(1);
    transaction.commit();
    assertThat(database.database().catalog().require(namespace).index("u_1")).isNotNull();
    assertThat(database.find(FindRequest.of(namespace, RawDocument.parse("{u: 1}")))).hasSize(1);
    var existing = new CreateIndexesRequest(TestDatabase.NAMESPACE, List.of(spec));
    var refused = transaction();
    assertThat(
            error(() -> refused.run(operation -> definitions.createIndexes(operation, existing)))
                .code())
        .isEqualTo(ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION);
  }
}
