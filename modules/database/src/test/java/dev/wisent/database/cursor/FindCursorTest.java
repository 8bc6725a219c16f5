package dev.wisent.database.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Finds;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.ResultCursor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cursors over several batches, with changes between them. */
class FindCursorTest {
  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.createIndex("{a: 1}");
    database.createIndex("{u: 1}", "unique");
    database.createIndex("{tags: 1}");
    for (int i = 0; i < 8; i++) {
      database.insert("{_id: %d, a: %d, u: %d, tags: %d}".formatted(i, i % 4, 100 - i, i));
    }
  }

  @AfterEach
  void close() {
    database.assertNothingLeaks();
    database.close();
  }

  private ResultCursor cursor(Finds find) {
    return database.database().find(database.operation(), find.toRequest());
  }

  /** A cursor after a first batch without documents. */
  private ResultCursor idleCursor(Finds find) {
    ResultCursor cursor = cursor(find);
    cursor.detach();
    return cursor;
  }

  /** The next documents as a command of their own. */
  private List<Integer> batch(ResultCursor cursor, int count) {
    cursor.attach(database.operation());
    List<RawDocument> documents = TestDatabase.take(cursor, count);
    cursor.detach();
    assertThat(database.openResources()).as("held between batches").isZero();
    return TestDatabase.ids(documents);
  }

  private List<Integer> rest(ResultCursor cursor) {
    return batch(cursor, Integer.MAX_VALUE);
  }

  private static void assertKilled(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.QUERY_PLAN_KILLED))
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{hint: {$natural: 1}}",
        "{hint: {$natural: -1}}",
        "{filter: {_id: {$gte: 2}}}",
        "{sort: {_id: -1}}",
        "{filter: {a: {$in: [0, 2, 3, 9]}}}",
        "{filter: {a: 1}, sort: {a: -1}}",
        "{filter: {u: {$lt: 98}}}",
        "{filter: {u: {$lt: 98}}, sort: {u: -1}}",
        "{filter: {tags: {$gt: 1}}}",
        "{sort: {nothing: 1}}",
        "{filter: {a: {$gt: 0}}, sort: {u: 1}}",
        "{filter: {_id: 3}}"
      })
  void batchesAddUpToTheWhole(String arguments) {
    RawDocument parsed = RawDocument.parse(arguments);
    Finds find = Finds.of(parsed.get("filter") == null ? "{}" : json(parsed, "filter"));
    if (parsed.get("sort") != null) {
      find.sort(json(parsed, "sort"));
    }
    if (parsed.get("hint") != null) {
      find.hint(json(parsed, "hint"));
    }
    List<Integer> whole = TestDatabase.ids(TestDatabase.drain(cursor(find)));
    assertThat(whole).isNotEmpty();
    for (int size = 1; size <= 4; size++) {
      var together = new ArrayList<Integer>();
      try (ResultCursor cursor = cursor(find)) {
        while (!cursor.isExhausted()) {
          together.addAll(batch(cursor, size));
        }
      }
      assertThat(together).as("in batches of %d", size).isEqualTo(whole);
    }
  }

  private static String json(RawDocument document, String name) {
    return document.get(name).asDocument().toJson();
  }

  @Test
  void aCursorThatHasNotBegunCanBeLeft() {
    for (Finds find : List.of(Finds.all(), Finds.of("{a: 1}"), Finds.all().sort("{x: 1}"))) {
      try (ResultCursor cursor = cursor(find)) {
        cursor.detach();
        assertThat(batch(cursor, 0)).isEmpty();
        assertThat(rest(cursor)).isNotEmpty();
        assertThat(cursor.isExhausted()).isTrue();
        assertThat(rest(cursor)).isEmpty();
      }
    }
  }

  /** A batch may be full before the document that was looked at fits. */
  @Test
  void whatWasShownButNotTakenComesAgain() {
    for (Finds find : List.of(Finds.all(), Finds.all().projection("{a: 1}"), Finds.of("{a: 1}"))) {
      try (ResultCursor cursor = cursor(find)) {
        byte[] shown = cursor.peek().toByteArray();
        cursor.detach();
        database.update("{}", "{$set: {other: 1}}");
        cursor.attach(database.operation());
        assertThat(cursor.peek().toByteArray()).isEqualTo(shown);
      }
      database.update("{}", "{$unset: {other: 1}}");
    }
  }

  @Test
  void skipAndLimitCountOverBatches() {
    try (ResultCursor cursor = cursor(Finds.all().skip(2).limit(4))) {
      assertThat(batch(cursor, 3)).containsExactly(2, 3, 4);
      assertThat(cursor.isExhausted()).isFalse();
      assertThat(batch(cursor, 3)).containsExactly(5);
      assertThat(cursor.isExhausted()).isTrue();
    }
  }

  @Test
  void aScanGoesOnWhereItsDocumentWasDeleted() {
    try (ResultCursor cursor = idleCursor(Finds.all());
        ResultCursor backwards = idleCursor(Finds.all().hint("{$natural: -1}"))) {
      assertThat(batch(cursor, 3)).containsExactly(0, 1, 2);
      assertThat(batch(backwards, 3)).containsExactly(7, 6, 5);
      database.delete("{_id: {$in: [2, 3, 5]}}", true);
      database.insert("{_id: 8, u: 8}");
      assertThat(rest(cursor)).containsExactly(4, 6, 7, 8);
      assertThat(rest(backwards)).containsExactly(4, 1, 0);
    }
  }

  @Test
  void anIndexScanGoesOnWhereItsEntryIsGone() {
    try (ResultCursor cursor = idleCursor(Finds.of("{u: {$gt: 0}}"));
        ResultCursor backwards = idleCursor(Finds.of("{a: {$gte: 0}}").sort("{a: -1}"))) {
      assertThat(batch(cursor, 2)).containsExactly(7, 6);
      assertThat(batch(backwards, 3)).containsExactly(7, 3, 6);
      database.update("{_id: 6}", "{$set: {u: 1000, a: -1}}");
      database.delete("{_id: 5}", false);
      assertThat(rest(cursor))
          .as("6 comes again at its new place")
          .containsExactly(4, 3, 2, 1, 0, 6);
      assertThat(rest(backwards)).containsExactly(2, 1, 4, 0);
    }
  }

  @Test
  void documentsWithSeveralKeysComeOnce() {
    database.updateMany("{}", "{$set: {tags: [1, 2, 3]}}");
    try (ResultCursor cursor = cursor(Finds.of("{tags: {$in: [1, 2, 3]}}"))) {
      var together = new ArrayList<Integer>();
      while (!cursor.isExhausted()) {
        together.addAll(batch(cursor, 3));
      }
      assertThat(together).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
    }
  }

  @Test
  void theFirstArrayMayComeBetweenBatches() {
    try (ResultCursor cursor = cursor(Finds.of("{tags: {$gte: 0}}"))) {
      assertThat(batch(cursor, 2)).containsExactly(0, 1);
      database.update("{_id: 5}", "{$set: {tags: [20, 21, 22]}}");
      assertThat(rest(cursor)).containsExactly(2, 3, 4, 6, 7, 5);
    }
  }

  @Test
  void aSortKeepsWhatItHasRead() {
    try (ResultCursor cursor = cursor(Finds.all().sort("{nothing: 1, _id: -1}"))) {
      assertThat(batch(cursor, 2)).containsExactly(7, 6);
      database.delete("{}", true);
      assertThat(rest(cursor)).containsExactly(5, 4, 3, 2, 1, 0);
    }
  }

  @Test
  void aDroppedCollectionEndsItsCursors() {
    try (ResultCursor cursor = idleCursor(Finds.all());
        ResultCursor sorted = idleCursor(Finds.all().sort("{x: 1}"));
        ResultCursor byId = idleCursor(Finds.of("{_id: 1}"))) {
      batch(cursor, 2);
      batch(sorted, 2);
      database.database().changes().drop(database.collection(), database.operation());
      database.insert("{_id: 1}");
      for (ResultCursor each : List.of(cursor, sorted, byId)) {
        assertKilled(() -> each.attach(database.operation()), "collection dropped. UUID ");
      }
    }
  }

  @Test
  void aRenamedCollectionEndsItsCursors() {
    try (ResultCursor cursor = cursor(Finds.all())) {
      batch(cursor, 2);
      database
          .database()
          .changes()
          .rename(database.collection(), new Namespace("test", "d"), null, database.operation());
      assertKilled(
          () -> cursor.attach(database.operation()),
          "collection renamed from 'test.c' to 'test.d'. UUID ");
    }
  }

  @Test
  void aDroppedIndexEndsItsScans() {
    try (ResultCursor cursor = idleCursor(Finds.of("{a: {$gte: 0}}"));
        ResultCursor unread = idleCursor(Finds.of("{a: {$gte: 0}}").sort("{u: 1}").hint("'a_1'"));
        ResultCursor sorted = idleCursor(Finds.of("{a: {$gte: 0}}").sort("{u: 1}").hint("'a_1'"));
        ResultCursor other = idleCursor(Finds.of("{u: {$gt: 0}}"))) {
      batch(cursor, 2);
      batch(other, 2);
      batch(sorted, 2);
      database.dropIndex("a_1");
      database.createIndex("{a: 1}");
      assertKilled(() -> cursor.attach(database.operation()), "index 'a_1' dropped");
      assertKilled(() -> unread.attach(database.operation()), "index 'a_1' dropped");
      assertThat(rest(sorted)).as("has read it all").hasSize(6);
      assertThat(rest(other)).hasSize(6);
    }
  }

  @Test
  void otherChangesOfTheDefinitionDoNotMatter() {
    try (ResultCursor cursor = cursor(Finds.of("{a: {$gte: 0}}"))) {
      batch(cursor, 2);
      database.createIndex("{b: 1}");
      database.dropIndex("u_1");
      database
          .database()
          .changes()
          .modify(
              database.collection(),
              definition -> definition.withOptions(RawDocument.parse("{validator: {a: 1}}")),
              database.operation());
      assertThat(rest(cursor)).hasSize(6);
    }
  }
}
