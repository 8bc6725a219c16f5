package dev.wisent.database.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.StatementIds;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A write that is sent again has no second effect and the same answer. */
class RetryableWritesTest {
  private final Retries session = new Retries(1);
  private TestDatabase store;

  @BeforeEach
  void open(@TempDir Path directory) {
    store = TestDatabase.open(directory);
    store.create("{}");
  }

  @AfterEach
  void close() {
    store.assertValid();
    store.assertNothingLeaks();
    store.close();
  }

  private LocalDatabase database() {
    return store.database();
  }

  private static List<RawDocument> documents(String... json) {
    return List.of(json).stream().map(RawDocument::parse).toList();
  }

  private static UpdateStatement update(String query, String update) {
    return TestDatabase.statement(query, update, false, false);
  }

  private static UpdateStatement upsert(String query, String update) {
    return TestDatabase.statement(query, update, false, true);
  }

  @Test
  void insertsAreMadeOnce() {
    List<RawDocument> documents = documents("{_id: 1}", "{_id: 2}");
    assertThat(session.insert(database(), 1, documents).retried()).isEmpty();
    WriteOutcome again = session.insert(database(), 1, documents);
    assertThat(again.matched()).isEqualTo(2);
    assertThat(again.failures()).isEmpty();
    assertThat(again.retried()).containsExactly(0, 1);
    assertThat(session.insert(database(), 2, documents).failures()).hasSize(2);
  }

  @Test
  void insertsWithoutAnIdAreMadeOnce() {
    List<RawDocument> documents = documents("{a: 1}");
    session.insert(database(), 1, documents);
    session.insert(database(), 1, documents);
    assertThat(store.count("{}")).isEqualTo(1);
  }

  @Test
  void whatIsMissingOfABatchIsDone() {
    session.insert(database(), 1, documents("{_id: 1}", "{_id: 2}"));
    WriteOutcome all = session.insert(database(), 1, documents("{_id: 1}", "{_id: 2}", "{_id: 3}"));
    assertThat(all.matched()).isEqualTo(3);
    assertThat(all.retried()).containsExactly(0, 1);
    assertThat(store.count("{}")).isEqualTo(3);
  }

  @Test
  void batchesOfSeveralMutationsAreMadeOnce() {
    String filler = "x".repeat(700_000);
    List<RawDocument> documents =
        IntStream.range(0, 8)
            .mapToObj(i -> RawDocument.parse("{_id: " + i + ", s: '" + filler + "'}"))
            .toList();
    session.insert(database(), 1, documents);
    assertThat(session.insert(database(), 1, documents).retried())
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
  }

  @Test
  void updatesAreMadeOnce() {
    store.insert("{_id: 1, n: 0}", "{_id: 2, n: 0}");
    List<UpdateStatement> updates =
        List.of(update("{_id: 1}", "{$inc: {n: 1}}"), update("{_id: 2}", "{$inc: {n: 1}}"));
    WriteOutcome first = session.update(database(), 7, updates);
    WriteOutcome again = session.update(database(), 7, updates);
    assertThat(again.matched()).isEqualTo(first.matched()).isEqualTo(2);
    assertThat(again.modified()).isEqualTo(first.modified()).isEqualTo(2);
    assertThat(again.retried()).containsExactly(0, 1);
    assertThat(store.find("{n: 1}")).hasSize(2);
    session.update(database(), 8, updates);
    assertThat(store.find("{n: 2}")).hasSize(2);
  }

  @Test
  void upsertsGiveTheirIdAgain() {
    List<UpdateStatement> updates =
        List.of(upsert("{a: 1}", "{$inc: {n: 1}}"), upsert("{a: 1}", "{$inc: {n: 1}}"));
    WriteOutcome first = session.update(database(), 1, updates);
    WriteOutcome again = session.update(database(), 1, updates);
    assertThat(again.upserted()).isEqualTo(first.upserted()).hasSize(1);
    assertThat(again.matched()).isEqualTo(1);
    assertThat(again.modified()).isEqualTo(1);
    assertThat(store.find("{n: 2}")).hasSize(1);
  }

  @Test
  void deletesAreMadeOnce() {
    store.insert("{_id: 1, a: 1}", "{_id: 2, a: 1}");
    List<DeleteStatement> deletes = List.of(Retries.deleteOf("{a: 1}"));
    session.delete(database(), 1, deletes);
    WriteOutcome again = session.delete(database(), 1, deletes);
    assertThat(again.matched()).isEqualTo(1);
    assertThat(again.retried()).containsExactly(0);
    assertThat(store.count("{}")).isEqualTo(1);
  }

  @Test
  void statementsThatChangedNothingRunAgain() {
    List<UpdateStatement> updates = List.of(update("{_id: 1}", "{$set: {n: 1}}"));
    assertThat(session.update(database(), 1, updates).matched()).isZero();
    store.insert("{_id: 1}");
    assertThat(session.update(database(), 1, updates).modified()).isEqualTo(1);
    assertThat(session.update(database(), 1, updates).retried()).containsExactly(0);
  }

  @Test
  void oneDocumentReturnsAsItWas() {
    store.insert("{_id: 1, n: 0, x: 5}");
    FindAndModifyRequest request =
        Retries.findAndModify("{_id: 1}", "{$inc: {n: 1}}", false, false, "{x: 1}");
    FindAndModifyOutcome first = session.findAndModify(database(), 1, request);
    FindAndModifyOutcome again = session.findAndModify(database(), 1, request);
    assertThat(first.retried()).isNull();
    assertThat(again.retried()).isZero();
    assertThat(again.value()).isEqualTo(first.value());
    assertThat(again.value().toJson()).isEqualTo(RawDocument.parse("{_id: 1, x: 5}").toJson());
    assertThat(again.matched()).isEqualTo(1);
    assertThat(again.updatedExisting()).isTrue();
    assertThat(store.find("{n: 1}")).hasSize(1);
  }

  @Test
  void oneDocumentReturnsAsItBecame() {
    store.insert("{_id: 1, n: 0}");
    FindAndModifyRequest request =
        Retries.findAndModify("{_id: 1}", "{$inc: {n: 1}}", true, false, "{}");
    session.findAndModify(database(), 1, request);
    store.update("{_id: 1}", "{$set: {n: 9}}");
    FindAndModifyOutcome again = session.findAndModify(database(), 1, request);
    assertThat(again.value()).isEqualTo(RawDocument.parse("{_id: 1, n: 1}"));
  }

  @Test
  void oneDocumentIsUpsertedOnce() {
    FindAndModifyRequest before =
        Retries.findAndModify("{_id: 1}", "{$inc: {n: 1}}", false, true, "{}");
    FindAndModifyRequest after =
        Retries.findAndModify("{_id: 2}", "{$inc: {n: 1}}", true, true, "{}");
    FindAndModifyOutcome upserted = session.findAndModify(database(), 1, before);
    FindAndModifyOutcome repeated = session.findAndModify(database(), 1, before);
    assertThat(repeated.value()).isEqualTo(upserted.value()).isNull();
    assertThat(repeated.upsertedId()).isEqualTo(upserted.upsertedId()).isNotNull();
    FindAndModifyOutcome first = session.findAndModify(database(), 2, after);
    FindAndModifyOutcome again = session.findAndModify(database(), 2, after);
    assertThat(again.value()).isEqualTo(first.value()).isNotNull();
    assertThat(again.upsertedId()).isEqualTo(first.upsertedId()).isNotNull();
    assertThat(again.updatedExisting()).isFalse();
    assertThat(store.find("{n: 1}")).hasSize(2);
  }

  @Test
  void oneDocumentIsRemovedOnce() {
    store.insert("{_id: 1, a: 1}", "{_id: 2, a: 1}");
    FindAndModifyRequest request = Retries.findAndModify("{a: 1}", null, false, false, "{}");
    FindAndModifyOutcome first = session.findAndModify(database(), 1, request);
    FindAndModifyOutcome again = session.findAndModify(database(), 1, request);
    assertThat(again.value()).isEqualTo(first.value());
    assertThat(again.matched()).isEqualTo(1);
    assertThat(store.count("{}")).isEqualTo(1);
  }

  @Test
  void anotherFindAndModifyIsNoRetry() {
    store.insert("{_id: 1, a: 1}");
    session.findAndModify(
        database(), 1, Retries.findAndModify("{a: 1}", "{$inc: {n: 1}}", false, false, "{}"));
    assertFails(
        ErrorCode.RETRY_OF_FIND_AND_UPDATE,
        Retries.findAndModify("{a: 1}", null, false, false, "{}"));
    assertFails(
        ErrorCode.INCOMPLETE_TRANSACTION_HISTORY,
        Retries.findAndModify("{a: 1}", "{$inc: {n: 1}}", true, false, "{}"));
  }

  private void assertFails(ErrorCode code, FindAndModifyRequest request) {
    assertThatThrownBy(() -> session.findAndModify(database(), 1, request))
        .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void numbersOnlyGrow() {
    session.insert(database(), 5, documents("{_id: 1}"));
    assertThatThrownBy(() -> session.insert(database(), 4, documents("{_id: 2}")))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.TRANSACTION_TOO_OLD))
        .hasMessageContaining("Retryable write with txnNumber 4 is prohibited on session")
        .hasMessageContaining("a newer retryable write with txnNumber 5");
    assertThat(new Retries(2).insert(database(), 4, documents("{_id: 2}")).failures()).isEmpty();
  }

  @Test
  void changesOfManyDocumentsAreRefused() {
    store.insert("{_id: 1}");
    WriteOutcome updated =
        session.update(
            database(),
            1,
            List.of(
                update("{_id: 1}", "{$set: {a: 1}}"),
                TestDatabase.statement("{}", "{$set: {a: 1}}", true, false)));
    assertThat(updated.modified()).isEqualTo(1);
    assertThat(updated.failures()).hasSize(1);
    assertThat(updated.failures().getFirst().error().code()).isEqualTo(ErrorCode.INVALID_OPTIONS);
    WriteOutcome deleted =
        session.delete(database(), 2, List.of(new DeleteStatement(RawDocument.EMPTY, true, null)));
    assertThat(deleted.failures()).hasSize(1);
    assertThat(store.count("{}")).isEqualTo(1);
  }

  @Test
  void clientsMayNumberTheirStatements() {
    var request =
        new InsertRequest(TestDatabase.NAMESPACE, documents("{_id: 1}", "{_id: 2}"), true, false);
    database().insert(session.operation(1, StatementIds.of(new int[] {9, 4})), request);
    var other = new InsertRequest(TestDatabase.NAMESPACE, documents("{_id: 2}"), true, false);
    assertThat(database().insert(session.operation(1, StatementIds.from(4)), other).retried())
        .containsExactly(4);
  }

  @Test
  void batchesOfOneCommandShareTheirNumber() {
    var operation = session.operation(1);
    for (int i = 0; i < 2; i++) {
      operation.retryableWrite().startBatch(i);
      var request =
          new UpdateRequest(
              TestDatabase.NAMESPACE, List.of(upsert("{_id: 1}", "{$inc: {n: 1}}")), true, false);
      assertThat(database().update(operation, request).retried()).isEmpty();
    }
    assertThat(store.find("{n: 2}")).hasSize(1);
  }

  @Test
  void longBatchesUsePagesWhichGoWithTheNextNumber() {
    var updates = new ArrayList<UpdateStatement>();
    for (int i = 0; i < 500; i++) {
      updates.add(upsert("{_id: 'a rather long identifier " + i + "'}", "{$inc: {n: 1}}"));
    }
    WriteOutcome first = session.update(database(), 1, updates);
    assertThat(sessionEntries()).isGreaterThan(5);
    store.reopen();
    WriteOutcome again = session.update(database(), 1, updates);
    assertThat(again.upserted()).isEqualTo(first.upserted()).hasSize(500);
    assertThat(again.retried()).hasSize(500);
    assertThat(store.find("{n: 1}")).hasSize(500);
    session.insert(database(), 2, documents("{_id: 1}"));
    assertThat(sessionEntries()).isEqualTo(1);
  }

  @Test
  void oldRecordsAreRemovedWithTheirPages() {
    var updates = new ArrayList<UpdateStatement>();
    for (int i = 0; i < 300; i++) {
      updates.add(upsert("{_id: 'a rather long identifier " + i + "'}", "{$inc: {n: 1}}"));
    }
    session.update(database(), 1, updates);
    for (int other = 2; other < 450; other++) {
      new Retries(other).insert(database(), 1, documents("{}"));
    }
    long now = System.currentTimeMillis();
    RetryableWrites records = database().retryableWrites();
    assertThat(records.removeOlder(now - 60_000, store.operation())).isZero();
    assertThat(session.update(database(), 1, updates).retried()).hasSize(300);
    assertThat(records.removeOlder(now + 60_000, store.operation())).isEqualTo(449);
    assertThat(sessionEntries()).isZero();
    assertThat(session.update(database(), 1, updates).retried()).isEmpty();
  }

  private int sessionEntries() {
    int count = 0;
    try (KeyValueCursor cursor = store.engine().cursor(Keyspace.SYSTEM, null, null, false)) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  @Test
  void insertsIntoCappedCollectionsAreMadeOnce() {
    database().changes().drop(store.collection(), store.operation());
    store.create("{capped: true, size: 4096, max: 2}");
    store.insert("{_id: 1}", "{_id: 2}");
    List<RawDocument> documents = documents("{_id: 3}", "{_id: 4}", "{_id: 5}");
    session.insert(database(), 1, documents);
    assertThat(session.insert(database(), 1, documents).retried()).containsExactly(0, 1, 2);
    assertThat(store.find("{}")).hasSize(2);
  }

  @Test
  void attemptsAtTheSameTimeHaveOneEffect() throws Exception {
    store.insert("{_id: 1, n: 0}");
    List<UpdateStatement> updates = List.of(update("{_id: 1}", "{$inc: {n: 1}}"));
    int rounds = 50;
    try (var executor = Executors.newFixedThreadPool(4)) {
      for (int round = 1; round <= rounds; round++) {
        long txnNumber = round;
        var attempts = new ArrayList<Future<WriteOutcome>>();
        for (int i = 0; i < 4; i++) {
          attempts.add(executor.submit(() -> session.update(database(), txnNumber, updates)));
        }
        int done = 0;
        for (Future<WriteOutcome> attempt : attempts) {
          assertThat(attempt.get().modified()).isEqualTo(1);
          done += attempt.get().retried().isEmpty() ? 1 : 0;
        }
        assertThat(done).isEqualTo(1);
      }
    }
    assertThat(store.find("{n: " + rounds + "}")).hasSize(1);
  }
}
