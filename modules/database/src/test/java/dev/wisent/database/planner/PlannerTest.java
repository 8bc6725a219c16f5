package dev.wisent.database.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Finds;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.OperationContext;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which way to the records is taken, and what it finds. */
class PlannerTest {
  private TestDatabase database;
  private OperationContext operation;

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

  private List<RawDocument> run(Finds find) {
    operation = database.operation();
    return TestDatabase.drain(database.database().find(operation, find.toRequest()));
  }

  private String plan(Finds find) {
    run(find);
    return operation.planSummary();
  }

  private List<Integer> ids(Finds find) {
    return TestDatabase.ids(run(find));
  }

  private void assertFails(Finds find, ErrorCode code) {
    assertThatThrownBy(() -> run(find))
        .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                     | COLLSCAN
          {_id: 1}                               | EXPRESS_IXSCAN { _id: 1 }
          {_id: {$eq: 1}}                        | EXPRESS_IXSCAN { _id: 1 }
          {_id: {$gt: 1}}                        | IXSCAN { _id: 1 }
          {_id: 1, a: 1}                         | IXSCAN { _id: 1 }
          {a: 1}                                 | IXSCAN { a: 1, b: -1 }
          {a: {$in: [1, 2]}, b: 3}               | IXSCAN { a: 1, b: -1 }
          {a: {$gt: 1}}                          | IXSCAN { a: 1, b: -1 }
          {b: 1}                                 | COLLSCAN
          {a: null}                              | IXSCAN { a: 1, b: -1 }
          {a: {$in: [1, null]}}                  | IXSCAN { a: 1, b: -1 }
          {a: [1]}                               | IXSCAN { a: 1, b: -1 }
          {a: {$ne: 1}}                          | IXSCAN { a: 1, b: -1 }
          {a: {$gt: {$minKey: 1}}}               | IXSCAN { a: 1, b: -1 }
          {$or: [{a: 1}, {a: 2}]}                | IXSCAN { a: 1, b: -1 }
          {$and: [{c: 5}, {a: 1}]}               | IXSCAN { a: 1, b: -1 }
          {c: 5, $and: [{$and: [{a: 1}]}]}       | IXSCAN { a: 1, b: -1 }
          {s: 1}                                 | IXSCAN { s: 1 }
          {s: {$exists: false}}                  | COLLSCAN
          {a: 1, u: 1}                           | IXSCAN { u: 1 }
          """)
  void theFilterChooses(String filter, String plan) {
    database.createIndex("{a: 1, b: -1}");
    database.createIndex("{s: 1}", "sparse");
    database.createIndex("{u: 1}", "unique", "sparse");
    database.insert("{_id: 1, a: 1, b: 3, c: 5, s: 1, u: 1}", "{_id: 2}");
    assertThat(plan(Finds.of(filter))).isEqualTo(plan);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}            | {a: 1}           | IXSCAN { a: 1, b: -1 }
          {}            | {a: -1, b: 1}    | IXSCAN { a: 1, b: -1 }
          {a: 1}        | {b: 1}           | IXSCAN { a: 1, b: -1 }
          {}            | {a: 1, b: 1}     | COLLSCAN
          {}            | {b: 1}           | COLLSCAN
          {}            | {s: 1}           | COLLSCAN
          {}            | {$natural: -1}   | COLLSCAN
          {}            | {_id: -1}        | IXSCAN { _id: 1 }
          """)
  void theSortChoosesToo(String filter, String sort, String plan) {
    database.createIndex("{a: 1, b: -1}");
    database.createIndex("{s: 1}", "sparse");
    database.insert("{_id: 1, a: 1, b: 3}", "{_id: 2, a: 1, b: 2}", "{_id: 3, a: 0}");
    assertThat(plan(Finds.of(filter).sort(sort))).isEqualTo(plan);
  }

  @Test
  void rangesThatAreUpsideDownAreEmpty() {
    database.createIndex("{a: 1}");
    database.createIndex("{b: -1}");
    database.insert("{_id: 1, a: 7, b: 7}", "{_id: 2, a: {$numberDecimal: 'NaN'}, b: NaN}");
    for (String field : List.of("a", "b")) {
      assertThat(ids(Finds.of("{%s: {$gt: 10, $lt: 5}}".formatted(field)))).isEmpty();
      assertThat(ids(Finds.of("{%s: {$gt: 5, $lt: NaN}}".formatted(field)))).isEmpty();
      assertThat(ids(Finds.of("{%s: {$gte: NaN, $lte: NaN}}".formatted(field)))).containsExactly(2);
      assertThat(ids(Finds.of("{%s: {$gt: 5, $lt: 'x'}}".formatted(field)))).isEmpty();
      assertThat(
              ids(
                  Finds.of("{%s: {$gt: 10, $lt: 5}}".formatted(field))
                      .sort("{%s: -1}".formatted(field))))
          .isEmpty();
    }
  }

  @Test
  void oneElementMayMeetOneBoundAndAnotherTheOther() {
    database.createIndex("{a: 1}");
    database.insert("{_id: 1, a: [1, 20]}");
    assertThat(ids(Finds.of("{a: {$gt: 5, $lt: 10}}"))).containsExactly(1);
    assertThat(operation.planSummary()).startsWith("IXSCAN");
  }

  @Test
  void twoFieldsOfOneArrayMayMatchInDifferentElements() {
    database.createIndex("{'a.x': 1, 'a.y': 1}");
    database.insert("{_id: 1, a: [{x: 1, y: 5}, {x: 9, y: 2}]}", "{_id: 2, a: {x: 1, y: 2}}");
    assertThat(ids(Finds.of("{'a.x': 1, 'a.y': 2}"))).containsExactlyInAnyOrder(1, 2);
    assertThat(operation.planSummary()).startsWith("IXSCAN");
    assertThat(ids(Finds.of("{'a.x': 1, 'a.y': {$lt: 3}}"))).containsExactlyInAnyOrder(1, 2);
  }

  /** An array in one field does not make the others less useful. */
  @Test
  void fieldsWithoutArraysKeepTheirBoundsAndOrder() {
    database.createIndex("{a: 1, tags: 1}");
    database.insert(
        "{_id: 1, a: 9, tags: ['x', 'y']}", "{_id: 2, a: 1, tags: ['x']}", "{_id: 3, a: 5}");
    assertThat(ids(Finds.of("{a: {$gt: 0, $lt: 6}}").sort("{a: 1}"))).containsExactly(2, 3);
    assertThat(operation.keysExamined()).isEqualTo(2);
    assertThat(ids(Finds.all().sort("{a: -1}"))).containsExactly(1, 3, 2);
    assertThat(operation.planSummary()).startsWith("IXSCAN");
  }

  @Test
  void anArrayIsSortedByItsFirstElementOfAllNotOfTheBounds() {
    database.createIndex("{a: 1}");
    database.insert("{_id: 1, a: [1, 7]}", "{_id: 2, a: [5, 6]}");
    assertThat(ids(Finds.of("{a: {$gt: 4}}").sort("{a: 1}"))).containsExactly(1, 2);
    assertThat(ids(Finds.of("{a: {$lt: 6}}").sort("{a: -1}"))).containsExactly(1, 2);
  }

  /** An element without fields has no key in a sparse index, but is a null to the sort. */
  @Test
  void aSparseIndexThatLacksElementsGivesNoOrder() {
    database.createIndex("{'a.x': -1, 'b.x': -1}", "sparse");
    database.insert("{_id: 1, b: [{x: {}}, {}]}", "{_id: 2, b: {x: 0}}");
    String hint = "{'a.x': -1, 'b.x': -1}";
    assertThat(ids(Finds.all().sort("{'a.x': 1, 'b.x': 1}").hint(hint))).containsExactly(1, 2);
    assertThat(ids(Finds.all().sort("{'a.x': 1, 'b.x': 1}"))).containsExactly(1, 2);
    assertThat(ids(Finds.all().sort("{'a.x': -1, 'b.x': -1}").hint(hint))).containsExactly(1, 2);
  }

  /** A decimal is rounded before it is hashed, a double is cut. */
  @Test
  void equalNumbersAreFoundByTheirHashes() {
    database
        .database()
        .changes()
        .addIndexes(
            database.collection(),
            List.of(RawDocument.parse("{v: 2, key: {h: 'hashed'}, name: 'h'}")),
            database.operation());
    database.insert(
        "{_id: 1, h: 43.5}",
        "{_id: 2, h: {$numberDecimal: '43.5'}}",
        "{_id: 3, h: 43}",
        "{_id: 4, h: {x: 1.5}}",
        "{_id: 5, h: {x: {$numberDecimal: '1.5'}}}");
    assertThat(ids(Finds.of("{h: 43.5}"))).containsExactlyInAnyOrder(1, 2);
    assertThat(operation.planSummary()).isEqualTo("IXSCAN { h: \"hashed\" }");
    assertThat(ids(Finds.of("{h: {$numberDecimal: '43.5'}}"))).containsExactlyInAnyOrder(1, 2);
    assertThat(ids(Finds.of("{h: 43}"))).containsExactly(3);
    assertThat(ids(Finds.of("{h: {x: 1.5}}"))).containsExactlyInAnyOrder(4, 5);
  }

  @Test
  void aHintIsFollowed() {
    database.createIndex("{a: 1}");
    database.createIndex("{s: 1}", "sparse");
    database.insert("{_id: 1, a: 2}", "{_id: 2, a: 1, s: 1}");
    assertThat(ids(Finds.all().hint("'a_1'"))).containsExactly(2, 1);
    assertThat(ids(Finds.all().hint("{a: 1.0}"))).containsExactly(2, 1);
    assertThat(ids(Finds.all().hint("{$natural: -1}"))).containsExactly(2, 1);
    assertThat(ids(Finds.of("{_id: 1}").hint("{s: 1}"))).as("a sparse index").isEmpty();
    assertThat(ids(Finds.of("{a: 1}").hint("{_id: 1}"))).containsExactly(2);
    assertThat(operation.planSummary()).isEqualTo("IXSCAN { _id: 1 }");
    assertFails(Finds.all().hint("'b_1'"), ErrorCode.BAD_VALUE);
    assertFails(Finds.all().hint("{a: -1}"), ErrorCode.BAD_VALUE);
  }

  @Test
  void aKeyOfTwoIndexesIsNoHint() {
    database.createIndex("{a: 1}");
    database
        .database()
        .changes()
        .addIndexes(
            database.collection(),
            List.of(RawDocument.parse("{v: 2, key: {a: 1}, name: 'sparse', sparse: true}")),
            database.operation());
    database.insert("{_id: 1}");
    assertFails(Finds.all().hint("{a: 1}"), ErrorCode.INDEX_NOT_FOUND);
    assertThat(ids(Finds.all().hint("'sparse'"))).isEmpty();
    assertThat(ids(Finds.all().hint("'a_1'"))).containsExactly(1);
  }

  @Test
  void minAndMaxBoundTheHintedIndex() {
    database.createIndex("{a: 1, b: -1}");
    database.insert("{_id: 1, a: 1, b: 1}", "{_id: 2, a: 1, b: 2}", "{_id: 3, a: 2, b: 1}");
    Finds all = Finds.all().hint("{a: 1, b: -1}");
    assertThat(ids(all.min("{a: 1, b: 1}"))).containsExactly(1, 3);
    assertThat(ids(all.max("{a: 2, b: 1}"))).containsExactly(1);
    assertThat(ids(Finds.of("{b: 2}").hint("'a_1_b_-1'").max("{a: 2, b: 9}"))).containsExactly(2);
    assertFails(Finds.all().min("{a: 1, b: 1}"), ErrorCode.HINT_REQUIRED_FOR_MIN_MAX);
    for (String max : List.of("{a: 1, b: 1}", "{a: 1, b: 2}", "{a: 0, b: 0}")) {
      assertFails(
          Finds.all().hint("{a: 1, b: -1}").min("{a: 1, b: 1}").max(max),
          ErrorCode.MIN_NOT_BEFORE_MAX);
    }
    assertFails(
        Finds.all().hint("{a: 1, b: -1}").min("{a: 1}"), ErrorCode.HINT_DOES_NOT_FIT_MIN_MAX);
    assertFails(
        Finds.all().hint("{a: 1, b: -1}").max("{b: 1, a: 1}"), ErrorCode.HINT_DOES_NOT_FIT_MIN_MAX);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{a: 2}", "{a: 'x'}", "{a: 0}", "{$natural: 'x'}", "{$natural: 2}"})
  void sortsAreCheckedWhateverThePlan(String sort) {
    database.createIndex("{a: 1}");
    database.insert("{_id: 1, a: 1}");
    for (String filter : List.of("{}", "{a: 1}", "{_id: 1}")) {
      assertThatThrownBy(() -> run(Finds.of(filter).sort(sort)))
          .isInstanceOf(CommandException.class);
    }
    database.database().changes().drop(database.collection(), database.operation());
    assertThatThrownBy(() -> run(Finds.all().sort(sort))).isInstanceOf(CommandException.class);
    database.create("{}");
  }

  @Test
  void hugeNumbersForSkipAndLimitMeanEverything() {
    database.insert("{_id: 1, a: 2}", "{_id: 2, a: 1}", "{_id: 3, a: 3}");
    long huge = Long.MAX_VALUE;
    assertThat(ids(Finds.all().sort("{a: 1}").skip(1).limit(huge))).containsExactly(1, 3);
    assertThat(ids(Finds.all().skip(2).limit(huge - 1))).containsExactly(3);
    assertThat(ids(Finds.all().sort("{a: 1}").skip(huge).limit(huge))).isEmpty();
    assertThat(count("{a: {$gt: 0}}", 1, huge)).isEqualTo(2);
    assertThat(count("{a: {$gt: 0}}", huge, huge)).isZero();
    assertThat(count("{}", 2, huge)).isEqualTo(1);
  }

  private long count(String query, long skip, long limit) {
    return database
        .database()
        .count(
            database.operation(),
            new CountRequest(TestDatabase.NAMESPACE, RawDocument.parse(query), skip, limit, null));
  }

  @Test
  void keysAndRecordIdsCanBeReturned() {
    database.createIndex("{a: 1, 'b.c': -1}");
    database.insert("{_id: 1.0, a: {$numberLong: '5'}, b: {c: 'x'}}");
    assertThat(run(Finds.of("{a: 5}").returnKey()).getFirst().toJson())
        .isEqualTo("{\"a\": 5, \"b.c\": \"x\"}");
    assertThat(run(Finds.of("{_id: 1}").returnKey()).getFirst().toJson())
        .isEqualTo("{\"_id\": 1.0}");
    assertThat(run(Finds.of("{_id: {$gt: 0}}").returnKey()).getFirst().toJson())
        .isEqualTo("{\"_id\": 1.0}");
    assertThat(run(Finds.all().returnKey()).getFirst().toJson()).isEqualTo("{}");
    RawDocument shown =
        run(Finds.of("{a: 5}").projection("{a: 1, _id: 0}").showRecordId()).getFirst();
    assertThat(shown.toJson()).isEqualTo("{\"a\": 5, \"$recordId\": 1}");
  }

  @Test
  void scansCanBeRefused() {
    database.createIndex("{a: 1}");
    operation = database.operation();
    operation.refuseScans();
    database.database().find(operation, Finds.of("{a: 1}").toRequest()).close();
    database.database().find(operation, Finds.all().toRequest()).close();
    database
        .database()
        .find(operation, Finds.of("{b: 1}").hint("{$natural: 1}").toRequest())
        .close();
    assertThatThrownBy(() -> database.database().find(operation, Finds.of("{b: 1}").toRequest()))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_QUERY_EXECUTION_PLANS));
  }

  @Test
  void errorsLeaveNothingOpen() {
    database.insert("{_id: 1}");
    for (Finds wrong :
        List.of(
            Finds.of("{a: {$foo: 1}}"),
            Finds.all().hint("'nothing'"),
            Finds.all().projection("{a: 1, b: 0}"),
            Finds.all().sort("{a: 5}"))) {
      assertThatThrownBy(() -> run(wrong)).isInstanceOf(CommandException.class);
    }
    assertThat(database.openResources()).isZero();
  }

  @Test
  void anInOfThousandsOfValuesIsAnswered() {
    database.createIndex("{a: 1, b: 1}");
    database.insert("{_id: 1, a: 77, b: 1}", "{_id: 2, a: 20000, b: 2}");
    var values = new StringBuilder();
    for (int i = 0; i < 12_000; i++) {
      values.append(i).append(',');
    }
    assertThat(ids(Finds.of("{a: {$in: [%s]}}".formatted(values)))).containsExactly(1);
    assertThat(ids(Finds.of("{a: 77, b: {$in: [%s]}}".formatted(values)))).containsExactly(1);
  }
}
