package dev.wisent.database.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Finds;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.Workers;
import dev.wisent.operation.FindRequest.Tailing;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cursors that stay at the end of a capped collection. */
class TailableCursorTest {
  private static final long LONG_MILLIS = 120_000;

  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{capped: true, size: 1000000, max: 5}");
  }

  @AfterEach
  void close() {
    database.assertNothingLeaks();
    database.close();
  }

  private ResultCursor tail(Finds find, Tailing tailing) {
    return database.database().find(database.operation(), find.tailing(tailing).toRequest());
  }

  private List<Integer> batch(ResultCursor cursor) {
    cursor.attach(database.operation());
    List<RawDocument> documents = TestDatabase.take(cursor, Integer.MAX_VALUE);
    cursor.detach();
    return TestDatabase.ids(documents);
  }

  private static void assertFails(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void theEndIsNotTheEnd() {
    database.insert("{_id: 1}", "{_id: 2}");
    try (ResultCursor cursor = tail(Finds.of("{_id: {$ne: 4}}"), Tailing.TAILABLE)) {
      assertThat(cursor.isTailable()).isTrue();
      assertThat(batch(cursor)).containsExactly(1, 2);
      assertThat(cursor.isExhausted()).isFalse();
      assertThat(batch(cursor)).isEmpty();
      database.insert("{_id: 3}", "{_id: 4}", "{_id: 5}");
      assertThat(batch(cursor)).containsExactly(3, 5);
    }
  }

  @Test
  void anEmptyCollectionCannotBeTailed() {
    try (ResultCursor cursor = tail(Finds.all(), Tailing.TAILABLE)) {
      assertThat(batch(cursor)).isEmpty();
      assertThat(cursor.isExhausted()).isTrue();
    }
    database.insert("{_id: 1}");
    try (ResultCursor cursor = tail(Finds.of("{_id: 2}"), Tailing.TAILABLE)) {
      assertThat(batch(cursor)).isEmpty();
      assertThat(cursor.isExhausted()).isFalse();
      database.insert("{_id: 2}");
      assertThat(batch(cursor)).containsExactly(2);
    }
  }

  @Test
  void aLimitEndsItAllTheSame() {
    database.insert("{_id: 1}");
    try (ResultCursor cursor = tail(Finds.all().limit(2), Tailing.TAILABLE)) {
      assertThat(batch(cursor)).containsExactly(1);
      database.insert("{_id: 2}", "{_id: 3}");
      assertThat(batch(cursor)).containsExactly(2);
      assertThat(cursor.isExhausted()).isTrue();
    }
  }

  @Test
  void onlyCappedCollectionsInTheirOwnOrderCanBeTailed() {
    assertFails(() -> tail(Finds.all().sort("{a: 1}"), Tailing.TAILABLE), ErrorCode.BAD_VALUE);
    assertFails(
        () -> tail(Finds.all().sort("{$natural: -1}"), Tailing.TAILABLE), ErrorCode.BAD_VALUE);
    assertFails(
        () -> tail(Finds.all().sort("{$natural: 'x'}"), Tailing.TAILABLE), ErrorCode.BAD_VALUE);
    tail(Finds.all().sort("{$natural: 1}"), Tailing.TAILABLE).close();
    database.database().changes().drop(database.collection(), database.operation());
    database.create("{}");
    assertFails(() -> tail(Finds.all(), Tailing.TAILABLE), ErrorCode.BAD_VALUE);
  }

  @Test
  void aPlaceThatWasOverwrittenIsLost() {
    database.insert("{_id: 1}", "{_id: 2}");
    try (ResultCursor cursor = tail(Finds.all(), Tailing.TAILABLE);
        ResultCursor plain =
            database.database().find(database.operation(), Finds.all().toRequest())) {
      TestDatabase.take(plain, 1);
      plain.detach();
      assertThat(batch(cursor)).containsExactly(1, 2);
      for (int id = 3; id < 9; id++) {
        database.insert("{_id: %d}".formatted(id));
      }
      cursor.attach(database.operation());
      assertFails(cursor::peek, ErrorCode.CAPPED_POSITION_LOST);
      // What follows may be missing from any scan of a queue, not only from one that waits there.
      plain.attach(database.operation());
      assertFails(plain::peek, ErrorCode.CAPPED_POSITION_LOST);
    }
  }

  @Test
  void aPlaceIsNotLostWhileItsDocumentIsThere() {
    database.insert("{_id: 1}");
    try (ResultCursor cursor = tail(Finds.all(), Tailing.TAILABLE)) {
      assertThat(batch(cursor)).containsExactly(1);
      for (int id = 2; id < 20; id++) {
        database.insert("{_id: %d}".formatted(id));
        assertThat(batch(cursor)).containsExactly(id);
      }
    }
  }

  @Test
  void waitingEndsWithAnInsert() throws Throwable {
    try (ResultCursor cursor = tail(Finds.all(), Tailing.AWAIT_DATA)) {
      assertThat(cursor.awaitsData()).isTrue();
      for (int id = 0; id < 20; id++) {
        var waiting = new Waiting(cursor, database.operation());
        waiting.begin();
        database.insert("{_id: %d}".formatted(id));
        waiting.finish();
        assertThat(batch(cursor)).containsExactly(id);
      }
    }
  }

  /** An insert between the state that a cursor reads and its wait must not be slept through. */
  @Test
  void anInsertBeforeTheWaitIsNotMissed() {
    try (ResultCursor cursor = tail(Finds.all(), Tailing.AWAIT_DATA)) {
      for (int id = 0; id < 3; id++) {
        database.insert("{_id: %d}".formatted(id));
        cursor.awaitMore(LONG_MILLIS);
        assertThat(TestDatabase.take(cursor, 9)).hasSize(1);
        cursor.detach();
        cursor.attach(database.operation());
      }
    }
  }

  @Test
  void waitingEndsWithItsTime() {
    database.insert("{_id: 1}");
    try (ResultCursor cursor = tail(Finds.of("{_id: 2}"), Tailing.AWAIT_DATA)) {
      long before = System.nanoTime();
      cursor.awaitMore(30);
      assertThat(System.nanoTime() - before).isGreaterThan(20_000_000L);
      assertThat(cursor.peek()).isNull();
      assertThat(cursor.isExhausted()).isFalse();
    }
  }

  @Test
  void waitingEndsWhenTheOperationIsKilled() throws Exception {
    OperationContext operation = database.operation();
    try (ResultCursor cursor = tail(Finds.all(), Tailing.AWAIT_DATA)) {
      var waiting = new Waiting(cursor, operation);
      waiting.begin();
      operation.kill(ErrorCode.INTERRUPTED);
      assertFails(waiting::finish, ErrorCode.INTERRUPTED);
    }
  }

  @Test
  void waitingEndsWhenTheThreadIsInterrupted() throws Exception {
    try (ResultCursor cursor = tail(Finds.all(), Tailing.AWAIT_DATA)) {
      var waiting = new Waiting(cursor, database.operation());
      waiting.begin();
      waiting.thread.interrupt();
      assertFails(waiting::finish, ErrorCode.INTERRUPTED);
    }
  }

  @Test
  void waitingEndsWhenTheCollectionIsDropped() throws Exception {
    try (ResultCursor cursor = tail(Finds.all(), Tailing.AWAIT_DATA)) {
      var waiting = new Waiting(cursor, database.operation());
      waiting.begin();
      database.database().changes().drop(database.collection(), database.operation());
      assertFails(waiting::finish, ErrorCode.QUERY_PLAN_KILLED);
    }
    database.create("{}");
  }

  @Test
  void manyReadersSeeEverythingInOrder() {
    database.database().changes().drop(database.collection(), database.operation());
    database.create("{capped: true, size: 10000000}");
    database.insert("{_id: 0}");
    int count = 400;
    Workers.run(
        5,
        thread -> {
          if (thread == 0) {
            for (int id = 1; id < count; id++) {
              database.insert("{_id: %d}".formatted(id));
            }
            return;
          }
          var seen = new ArrayList<Integer>();
          try (ResultCursor cursor = tail(Finds.all(), Tailing.AWAIT_DATA)) {
            while (seen.size() < count) {
              cursor.awaitMore(LONG_MILLIS);
              TestDatabase.take(cursor, 7).forEach(d -> seen.add(d.get("_id").asInt32()));
              cursor.detach();
              cursor.attach(database.operation());
            }
          }
          assertThat(seen).hasSize(count).isSorted();
        });
  }

  /** Another thread at the end of a cursor. */
  private static final class Waiting {
    private final ResultCursor cursor;
    private final OperationContext operation;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private Thread thread;

    Waiting(ResultCursor cursor, OperationContext operation) {
      this.cursor = cursor;
      this.operation = operation;
    }

    void begin() {
      cursor.detach();
      thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      cursor.attach(operation);
                      cursor.awaitMore(LONG_MILLIS);
                      cursor.detach();
                      done.complete(null);
                    } catch (Throwable e) {
                      done.completeExceptionally(e);
                    }
                  });
      Workers.await("the cursor to wait", () -> Workers.isWaiting(thread));
    }

    void finish() throws Throwable {
      try {
        done.get(30, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw e.getCause();
      } catch (TimeoutException e) {
        throw new AssertionError("still waiting", e);
      }
    }
  }
}
