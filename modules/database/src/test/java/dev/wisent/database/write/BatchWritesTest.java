package dev.wisent.database.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.operation.WriteOutcome.Failure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches of which some documents are refused. */
class BatchWritesTest {
  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
  }

  @AfterEach
  void close() {
    database.assertValid();
    database.assertNothingLeaks();
    database.close();
  }

  private static List<Integer> positions(WriteOutcome outcome) {
    return outcome.failures().stream().map(Failure::index).toList();
  }

  @Test
  void anOrderedInsertStopsAtTheFirstDuplicate() {
    database.insert("{_id: 2}");
    WriteOutcome outcome = database.tryInsert(true, "{_id: 1}", "{_id: 2}", "{_id: 3}");
    assertThat(outcome.matched()).isEqualTo(1);
    assertThat(positions(outcome)).containsExactly(1);
    assertThat(outcome.failures().getFirst().error().code()).isEqualTo(ErrorCode.DUPLICATE_KEY);
    assertThat(database.find("{}")).containsExactly("{\"_id\": 2}", "{\"_id\": 1}");
  }

  @Test
  void anUnorderedInsertGoesOn() {
    database.insert("{_id: 2}");
    WriteOutcome outcome =
        database.tryInsert(false, "{_id: 1}", "{_id: 2}", "{_id: 3}", "{_id: 1}", "{_id: 4}");
    assertThat(outcome.matched()).isEqualTo(3);
    assertThat(positions(outcome)).containsExactly(1, 3);
    assertThat(database.count("{}")).isEqualTo(4);
  }

  @Test
  void duplicatesWithinABatchAreFoundInEveryUniqueIndex() {
    database.create("{}");
    database.createIndex("{k: 1}", "unique");
    database.createIndex("{tags: 1}", "unique", "sparse");
    WriteOutcome outcome =
        database.tryInsert(
            false,
            "{_id: 1, k: 1, tags: ['a', 'b']}",
            "{_id: 2, k: 1.0}",
            "{_id: 3, k: 3, tags: ['c', 'b']}",
            "{_id: 4, k: 4, tags: ['d', 'd']}",
            "{_id: 5}",
            "{_id: 6, k: null}");
    assertThat(positions(outcome)).containsExactly(1, 2, 5);
    assertThat(outcome.failures().get(0).error())
        .hasMessage("E11000 duplicate key error collection: test.c index: k_1 dup key: { k: 1.0 }");
    assertThat(outcome.failures().get(1).error()).hasMessageContaining("{ tags: \"b\" }");
  }

  @Test
  void theMessageShowsTheIdAsItWasGiven() {
    database.insert("{_id: 1}");
    WriteOutcome outcome = database.tryInsert(true, "{_id: 1.0}");
    assertThat(outcome.failures().getFirst().error()).hasMessageEndingWith("dup key: { _id: 1.0 }");
  }

  @Test
  void aRefusedDocumentLeavesNothingInTheBatch() {
    database.create("{}");
    database.createIndex("{a: 1}");
    database.createIndex("{b: 1}");
    database.createIndex("{k: 1}", "unique");
    database.insert("{_id: 0, k: 1}");
    WriteOutcome outcome =
        database.tryInsert(
            false, "{_id: 1, a: 1, b: 1, k: 2}", "{_id: 2, a: 2, b: 2, k: 1}", "{_id: 3, k: 3}");
    assertThat(positions(outcome)).containsExactly(1);
    assertThat(database.count("{a: 2}")).isZero();
    // Its latches are free again: the same keys can be taken at once.
    database.insert("{_id: 2, a: 2, b: 2, k: 4}");
  }

  /** Its arrays must not count as known: they are not written down. */
  @Test
  void aRefusedDocumentDoesNotMarkItsArrays() {
    database.create("{}");
    database.createIndex("{a: 1}");
    database.createIndex("{k: 1}", "unique");
    database.insert("{_id: 0, a: 0, k: 1}");
    database.tryInsert(false, "{_id: 1, a: [1, 20], k: 1}", "{_id: 2, a: 2, k: 2}");
    database.insert("{_id: 3, a: [1, 20], k: 3}");
    database.assertValid();
    database.reopen();
    assertThat(database.count("{a: {$gt: 5, $lt: 10}}")).isEqualTo(1);
  }

  @Test
  void documentsThatCannotBeStoredAreRefusedOneByOne() {
    database.create("{}");
    database.createIndex("{a: 1, b: 1}");
    WriteOutcome outcome =
        database.tryInsert(
            false, "{_id: 1, a: [1], b: [2]}", "{_id: [1]}", "{_id: 2, a: 1, b: [2]}");
    assertThat(positions(outcome)).containsExactly(0, 1);
    assertThat(outcome.failures().getFirst().error().code())
        .isEqualTo(ErrorCode.CANNOT_INDEX_PARALLEL_ARRAYS);
    assertThat(database.count("{}")).isEqualTo(1);
  }

  @Test
  void aLargeBatchGoesInSeveralSteps() {
    var documents = new ArrayList<RawDocument>();
    String filler = "x".repeat(10_000);
    for (int i = 0; i < 500; i++) {
      documents.add(RawDocument.parse("{_id: %d, s: '%s'}".formatted(i % 490, filler)));
    }
    WriteOutcome outcome = database.insert(false, documents);
    assertThat(outcome.matched()).isEqualTo(490);
    assertThat(outcome.failures()).hasSize(10);
  }

  @Test
  void updatesStopOrGoOnLikewise() {
    database.insert("{_id: 1, n: 1}", "{_id: 2, n: 'x'}", "{_id: 3, n: 1}");
    var statements =
        List.of(
            TestDatabase.statement("{_id: 1}", "{$inc: {n: 1}}", false, false),
            TestDatabase.statement("{_id: 2}", "{$inc: {n: 1}}", false, false),
            TestDatabase.statement("{_id: 3}", "{$inc: {n: 1}}", false, false));
    for (boolean ordered : List.of(true, false)) {
      WriteOutcome outcome =
          database
              .database()
              .update(
                  database.operation(),
                  new UpdateRequest(TestDatabase.NAMESPACE, statements, ordered, false));
      assertThat(positions(outcome)).containsExactly(1);
      assertThat(outcome.failures().getFirst().error().code()).isEqualTo(ErrorCode.TYPE_MISMATCH);
      assertThat(outcome.modified()).isEqualTo(ordered ? 1 : 2);
    }
  }

  @Test
  void aMultiUpdateKeepsWhatItDidBeforeItFailed() {
    database.insert("{_id: 1, n: 1}", "{_id: 2, n: 1}", "{_id: 3, n: 'x'}", "{_id: 4, n: 1}");
    WriteOutcome outcome = database.updateMany("{}", "{$inc: {n: 1}}");
    assertThat(outcome.failures()).hasSize(1);
    assertThat(database.count("{n: 2}")).isEqualTo(2);
    assertThat(database.count("{n: 1}")).isEqualTo(1);
  }
}
