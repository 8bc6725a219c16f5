package dev.wisent.database.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.WriteOutcome;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What updates do to index entries. */
@Timeout(value = 240, threadMode = ThreadMode.SEPARATE_THREAD)
class IndexMaintenanceTest {
  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
  }

  @AfterEach
  void close() {
    database.assertValid();
    database.assertNothingLeaks();
    database.close();
  }

  /** How many keys of the store a write changes. */
  private long changes(Runnable write) {
    long before = database.engine().properties().get("sequence");
    write.run();
    return database.engine().properties().get("sequence") - before;
  }

  /** The key that is stored for a document, with its exact types. */
  private String storedKey(String index) {
    var request =
        new FindRequest.Builder()
            .hint(TestDatabase.value("'" + index + "'"))
            .returnKey(true)
            .build(TestDatabase.NAMESPACE);
    return database.find(request).getFirst().toJson();
  }

  @Test
  void onlyIndexesOfTouchedFieldsAreWritten() {
    database.createIndex("{a: 1}");
    database.createIndex("{b: 1, 'c.d': -1}");
    database.insert("{_id: 1, a: 1, b: 1, c: {d: 1}, e: 1}");
    assertThat(changes(() -> database.update("{_id: 1}", "{$set: {e: 2}}"))).isEqualTo(1);
    assertThat(changes(() -> database.update("{_id: 1}", "{$set: {a: 2}}"))).isEqualTo(3);
    assertThat(changes(() -> database.update("{_id: 1}", "{$set: {'c.d': 2}}"))).isEqualTo(3);
    assertThat(changes(() -> database.update("{_id: 1}", "{$set: {'c.d': 2}}"))).isZero();
    assertThat(changes(() -> database.update("{_id: 1}", "{_id: 1, a: 2, b: 9, c: {d: 2}, e: 2}")))
        .isEqualTo(3);
  }

  @Test
  void onlyEntriesThatDifferAreWritten() {
    database.createIndex("{a: 1}");
    database.insert("{_id: 1, a: [1, 2, 3]}");
    // The record, its size, one entry gone and one new.
    assertThat(changes(() -> database.update("{_id: 1}", "{$set: {a: [2, 3, 4, 4]}}")))
        .isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{$set: {'a.1.c': 0}}",
        "{$inc: {'a.1.c': 1}}",
        "{$mul: {'a.1.c': 1}}",
        "{$min: {'a.1.c': 0}}",
        "{$max: {'a.3.c': 0}}",
        "{$bit: {'a.1.c': {or: 1}}}",
        "{$push: {'a.1.c': 0}}",
        "{$addToSet: {'a.1.c': 0}}",
        "{$currentDate: {'a.1.c': true}}"
      })
  void anElementThatAnUpdateCreatesOnItsWayHasEntries(String update) {
    database.createIndex("{'a.b': 1}");
    database.createIndex("{'a.d': 1}", "sparse");
    database.insert("{_id: 1, a: [{b: 0}]}");
    assertThat(database.update("{_id: 1}", update).modified()).isEqualTo(1);
    database.assertValid();
    assertThat(database.count("{'a.b': null}")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{$set: {'a.0.0.b': 1}}",
        "{$set: {'a.0.0.c': 1}}",
        "{$set: {'a.0.0': {}}}",
        "{$inc: {'a.$[].0.c': 1}}",
        "{$push: {a: {'0': {c: 1}}}}",
        "[{$set: {'a.0.c': 1}}]"
      })
  void aNameThatCanBeTakenForAPositionIsRefused(String update) {
    database.createIndex("{'a.0.b': 1}");
    database.insert("{_id: 1, a: [{b: 1}]}");
    WriteOutcome outcome = database.update("{_id: 1}", update);
    assertThat(outcome.failures())
        .extracting(failure -> failure.error().code())
        .containsExactly(ErrorCode.INDEX_KEY_FIELD_AMBIGUOUS);
    database.assertValid();
  }

  @ParameterizedTest
  @ValueSource(strings = {"unique", "sparse"})
  void anotherTypeOfTheSameNumberIsAnotherEntry(String option) {
    database.createIndex("{a: 1}", option);
    database.insert("{_id: 1, a: 1}");
    assertThat(storedKey("a_1")).isEqualTo("{\"a\": 1}");
    WriteOutcome outcome = database.update("{_id: 1}", "{$set: {a: 1.0}}");
    assertThat(outcome.failures()).isEmpty();
    assertThat(outcome.modified()).isEqualTo(1);
    assertThat(storedKey("a_1")).isEqualTo("{\"a\": 1.0}");
    database.update("{a: 1}", "{$set: {a: [2, {$numberLong: '1'}]}}");
    database.assertValid();
    assertThat(database.updateMany("{}", "{$set: {a: [2.0, 1]}}").modified()).isEqualTo(1);
  }

  @Test
  void uniqueKeysMoveAlongWithinAMultiUpdate() {
    database.createIndex("{k: 1}", "unique");
    database.insert("{_id: 1, k: 3}", "{_id: 2, k: 2}", "{_id: 3, k: 1}");
    WriteOutcome outcome = database.updateMany("{}", "{$inc: {k: 1}}");
    assertThat(outcome.failures()).isEmpty();
    assertThat(outcome.modified()).isEqualTo(3);
    assertThat(database.count("{k: {$in: [2, 3, 4]}}")).isEqualTo(3);
  }

  @Test
  void uniqueKeysInTheWayEndAMultiUpdate() {
    database.createIndex("{k: 1}", "unique");
    database.insert("{_id: 1, k: 1}", "{_id: 2, k: 2}", "{_id: 3, k: 4}");
    WriteOutcome outcome = database.updateMany("{}", "{$inc: {k: 1}}");
    assertThat(outcome.failures().getFirst().error().code()).isEqualTo(ErrorCode.DUPLICATE_KEY);
    assertThat(database.count("{k: {$in: [1, 2, 4]}}")).isEqualTo(3);
  }

  @Test
  void aUniqueKeyMayMoveWithinItsDocument() {
    database.createIndex("{'l.k': 1}", "unique");
    database.insert("{_id: 1, l: [{k: 1}, {k: 2}]}");
    assertThat(database.update("{_id: 1}", "{$set: {l: [{k: 2}, {k: 1}]}}").failures()).isEmpty();
    assertThat(database.update("{_id: 1}", "{$set: {l: {k: 2}}}").failures()).isEmpty();
    assertThat(database.tryInsert(true, "{l: [{k: 1}, {k: 5}]}").failures()).isEmpty();
  }

  /** The first array of an index is told to readers, and written down with the document. */
  @ParameterizedTest
  @ValueSource(strings = {"[1, 20]", "[7]", "[]", "[[7]]"})
  void arraysAreMarkedByInserts(String array) {
    database.createIndex("{a: 1}");
    database.insert("{_id: 1, a: 7}");
    assertThat(database.collection().index("a_1").isMultikey()).isFalse();
    database.insert("{_id: 2, a: %s}".formatted(array));
    assertThat(database.collection().index("a_1").isMultikey()).isTrue();
    database.reopen();
    assertThat(database.collection().index("a_1").isMultikey()).isTrue();
  }

  /** The entries are the same before and after: the mark is all there is to write. */
  @Test
  void arraysAreMarkedByUpdatesThatChangeNoEntry() {
    database.createIndex("{'a.x': 1}");
    database.insert("{_id: 1, a: {x: 1}}");
    database.update("{_id: 1}", "{$set: {a: [{x: 1}]}}");
    database.assertValid();
    database.reopen();
    assertThat(database.collection().index("a.x_1").isMultikey()).isTrue();
    database.update("{_id: 1}", "{$push: {a: {x: 20}}}");
    assertThat(database.count("{'a.x': {$gt: 5, $lt: 10}}")).isEqualTo(1);
  }

  @Test
  void marksSurviveARestart() {
    database.createIndex("{a: 1}");
    database.insert("{_id: 1, a: [1, 20]}");
    database.reopen();
    assertThat(database.count("{a: {$gt: 5, $lt: 10}}")).isEqualTo(1);
    assertThat(database.find("{a: {$gte: 0}}")).hasSize(1);
  }

  @Test
  void marksOfABuiltIndexSurviveToo() {
    database.insert("{_id: 1, a: [{x: 1}, {x: 20}]}", "{_id: 2, a: {x: 3}}");
    database.createIndex("{'a.x': 1}");
    for (int i = 0; i < 2; i++) {
      assertThat(database.collection().index("a.x_1").isMultikey()).isTrue();
      assertThat(database.count("{'a.x': {$gt: 5, $lt: 10}}")).isEqualTo(1);
      database.reopen();
    }
  }

  /** Comparing each of the old entries with each of the new ones would take minutes. */
  @Test
  void manyEntriesAreComparedQuickly() {
    database.createIndex("{a: 1}");
    String numbers =
        IntStream.range(0, 30_000).mapToObj(Integer::toString).collect(Collectors.joining(","));
    database.insert("{_id: 1, a: [%s]}".formatted(numbers));
    for (int i = 0; i < 5; i++) {
      String push = "{$push: {a: %d}}".formatted(-1 - i);
      assertThat(changes(() -> database.update("{_id: 1}", push))).isEqualTo(3);
    }
    assertThat(database.find("{a: -5}")).hasSize(1);
  }

  @Test
  void deletesTakeAllEntriesAlong() {
    database.createIndex("{a: 1}", "unique");
    database.createIndex("{b: -1}", "sparse");
    database.insert("{_id: 1, a: [1, 2], b: 1}", "{_id: 2, a: 3}");
    assertThat(database.delete("{a: 2}", false).matched()).isEqualTo(1);
    assertThat(database.validate().keysPerIndex())
        .containsEntry("a_1", 1L)
        .containsEntry("b_-1", 0L);
    assertThat(database.insert(true, List.of(RawDocument.parse("{a: [1, 2]}"))).failures())
        .isEmpty();
  }
}
