package dev.wisent.database.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.DuplicateKeyException;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FindAndModifyTest {
  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.createIndex("{u: 1}", "unique", "sparse");
    database.insert(
        "{_id: 1, a: 3, l: [1, 2]}", "{_id: 2, a: 1, l: [2, 3]}", "{_id: 3, a: 2, u: 7}");
  }

  @AfterEach
  void close() {
    database.assertValid();
    database.assertNothingLeaks();
    database.close();
  }

  private FindAndModifyOutcome run(
      String query, String sort, String update, boolean returnNew, boolean upsert, String fields) {
    return database
        .database()
        .findAndModify(
            database.operation(),
            new FindAndModifyRequest(
                TestDatabase.NAMESPACE,
                RawDocument.parse(query),
                RawDocument.parse(sort),
                update == null ? null : TestDatabase.value(update),
                returnNew,
                upsert,
                RawDocument.parse(fields),
                List.of(),
                false,
                null));
  }

  @Test
  void theFirstInTheOrderIsTaken() {
    var outcome = run("{}", "{a: 1}", "{$set: {b: 1}}", false, false, "{}");
    assertThat(outcome.value().toJson()).isEqualTo("{\"_id\": 2, \"a\": 1, \"l\": [2, 3]}");
    assertThat(outcome.updatedExisting()).isTrue();
    assertThat(outcome.matched()).isEqualTo(1);
    assertThat(database.count("{_id: 2, b: 1}")).isEqualTo(1);
    outcome = run("{}", "{a: -1}", "{$set: {b: 2}}", true, false, "{b: 1}");
    assertThat(outcome.value().toJson()).isEqualTo("{\"_id\": 1, \"b\": 2}");
  }

  @Test
  void nothingFoundIsNothingDone() {
    var outcome = run("{a: 9}", "{}", "{$set: {b: 1}}", true, false, "{}");
    assertThat(outcome.value()).isNull();
    assertThat(outcome.matched()).isZero();
    assertThat(outcome.updatedExisting()).isFalse();
    assertThat(run("{a: 9}", "{}", null, false, false, "{}").value()).isNull();
  }

  @Test
  void removals() {
    var outcome = run("{a: {$lt: 3}}", "{a: -1}", null, false, false, "{_id: 1}");
    assertThat(outcome.value().toJson()).isEqualTo("{\"_id\": 3}");
    assertThat(outcome.matched()).isEqualTo(1);
    assertThat(database.count("{}")).isEqualTo(2);
  }

  @Test
  void upserts() {
    var outcome = run("{_id: 9}", "{}", "{$set: {a: 5}}", true, true, "{}");
    assertThat(outcome.value().toJson()).isEqualTo("{\"_id\": 9, \"a\": 5}");
    assertThat(outcome.upsertedId().asInt32()).isEqualTo(9);
    assertThat(outcome.updatedExisting()).isFalse();
    outcome = run("{_id: 10}", "{}", "{$set: {a: 5}}", false, true, "{}");
    assertThat(outcome.value()).isNull();
    assertThat(outcome.matched()).isEqualTo(1);
    outcome = run("{_id: 10}", "{}", "{$set: {a: 5}}", false, true, "{}");
    assertThat(outcome.upsertedId()).as("there is one by now").isNull();
  }

  /** The key is not the one that the query asks for: trying again would not help. */
  @Test
  void anUpsertWithAKeyOfAnotherDocumentFails() {
    assertThatThrownBy(() -> run("{a: 9}", "{}", "{$set: {u: 7}}", false, true, "{}"))
        .isInstanceOf(DuplicateKeyException.class);
    assertThatThrownBy(() -> run("{u: 7, a: 9}", "{}", "{$set: {b: 7}}", false, true, "{}"))
        .isInstanceOf(DuplicateKeyException.class);
    assertThatThrownBy(() -> run("{_id: 1, a: 9}", "{}", "{$set: {b: 7}}", false, true, "{}"))
        .isInstanceOf(DuplicateKeyException.class);
    assertThat(database.count("{}")).isEqualTo(3);
  }

  @Test
  void theMatchedElementCanBeUpdatedAndReturned() {
    var outcome = run("{l: 2, _id: 2}", "{}", "{$set: {'l.$': 20}}", true, false, "{}");
    assertThat(outcome.value().toJson()).isEqualTo("{\"_id\": 2, \"a\": 1, \"l\": [20, 3]}");
    outcome = run("{l: 2}", "{}", "{$set: {b: 1}}", false, false, "{'l.$': 1}");
    assertThat(outcome.value().toJson()).isEqualTo("{\"_id\": 1, \"l\": [2]}");
  }
}
