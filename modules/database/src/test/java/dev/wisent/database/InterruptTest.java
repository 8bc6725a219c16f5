package dev.wisent.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.UpdateRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operations that are told to stop: they do so soon, and leave nothing behind. */
class InterruptTest {
  private static final int DOCUMENTS = 2_000;

  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.createIndex("{a: 1}");
    assertThat(database.insert(true, documents(0)).failures()).isEmpty();
  }

  private static List<RawDocument> documents(int from) {
    var documents = new ArrayList<RawDocument>();
    for (int id = from; id < from + DOCUMENTS; id++) {
      documents.add(RawDocument.parse("{_id: %d, a: %d, b: 1}".formatted(id, id)));
    }
    return documents;
  }

  @AfterEach
  void close() {
    database.assertValid();
    database.assertNothingLeaks();
    database.close();
  }

  /** An operation whose client goes away at the n-th look at its connection. */
  private static OperationContext leaving(int looks) {
    var left = new AtomicInteger(looks);
    return new OperationContext(
        Clock.system(), RandomSource.system(), () -> left.decrementAndGet() < 0);
  }

  private static void assertFails(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private void assertAllEndWith(ErrorCode code, java.util.function.Supplier<OperationContext> how) {
    LocalDatabase local = database.database();
    List<Consumer<OperationContext>> operations =
        List.of(
            operation -> drain(local.find(operation, Finds.of("{c: 1}").toRequest())),
            operation -> drain(local.find(operation, Finds.of("{a: {$gt: 0}, c: 1}").toRequest())),
            operation -> drain(local.find(operation, Finds.all().sort("{c: 1}").toRequest())),
            operation ->
                local.count(
                    operation,
                    new CountRequest(
                        TestDatabase.NAMESPACE, RawDocument.parse("{c: 1}"), 0, 0, null)),
            operation ->
                local.distinct(
                    operation,
                    new DistinctRequest(TestDatabase.NAMESPACE, "a", RawDocument.EMPTY, null)),
            operation ->
                local.update(
                    operation,
                    TestDatabase.request(
                        TestDatabase.statement("{c: 1}", "{$set: {d: 1}}", true, true))),
            operation ->
                local.delete(
                    operation,
                    new DeleteRequest(
                        TestDatabase.NAMESPACE,
                        List.of(new DeleteStatement(RawDocument.parse("{c: 1}"), true, null)),
                        false)),
            operation ->
                local
                    .changes()
                    .addIndexes(
                        database.collection(),
                        List.of(TestDatabase.indexSpec(RawDocument.parse("{b: 1}"))),
                        operation));
    for (Consumer<OperationContext> operation : operations) {
      assertFails(() -> operation.accept(how.get()), code);
      database.assertNothingLeaks();
      StoreContents.assertNothingUnknown(database);
    }
    assertThat(database.count("{}")).isEqualTo(DOCUMENTS);
  }

  private static void drain(ResultCursor cursor) {
    try (cursor) {
      TestDatabase.take(cursor, Integer.MAX_VALUE);
    }
  }

  @Test
  void aKilledOperationEnds() {
    assertAllEndWith(
        ErrorCode.INTERRUPTED_AT_SHUTDOWN,
        () -> {
          OperationContext operation = database.operation();
          operation.kill(ErrorCode.INTERRUPTED_AT_SHUTDOWN);
          return operation;
        });
  }

  @Test
  void anOperationOfAClientThatHasGoneEnds() {
    assertAllEndWith(ErrorCode.CLIENT_DISCONNECT, () -> leaving(3));
  }

  @Test
  void anOperationWhoseTimeIsOverEnds() {
    assertAllEndWith(
        ErrorCode.MAX_TIME_MS_EXPIRED,
        () -> {
          var clock = new SteppingClock();
          var operation = new OperationContext(clock, RandomSource.system(), () -> false);
          operation.limitMillis(5);
          assertThat(operation.nanosLeft()).isPositive();
          return operation;
        });
  }

  /** A millisecond goes by with every look at it. */
  private static final class SteppingClock implements Clock {
    private final AtomicLong nanos = new AtomicLong();

    @Override
    public long wallMillis() {
      return nanos.get() / 1_000_000;
    }

    @Override
    public long monotonicNanos() {
      return nanos.addAndGet(1_000_000);
    }
  }

  @Test
  void whatAMultiUpdateHasCommittedStays() {
    assertFails(
        () ->
            database
                .database()
                .update(
                    leaving(10),
                    TestDatabase.request(
                        TestDatabase.statement("{}", "{$set: {b: 2}}", true, false))),
        ErrorCode.CLIENT_DISCONNECT);
    assertThat(database.count("{b: 2}")).isBetween(1L, DOCUMENTS - 1L);
  }

  @Test
  void whatAMultiDeleteHasCommittedStays() {
    var padding = "x".repeat(500);
    database.updateMany("{}", "{$set: {s: '%s'}}".formatted(padding));
    database.createIndex("{s: 1}");
    assertFails(
        () ->
            database
                .database()
                .delete(
                    leaving(25),
                    new DeleteRequest(
                        TestDatabase.NAMESPACE,
                        List.of(new DeleteStatement(RawDocument.EMPTY, true, null)),
                        true)),
        ErrorCode.CLIENT_DISCONNECT);
    assertThat(database.count("{}")).isBetween(1L, DOCUMENTS - 1L);
  }

  /** Not one statement fails but the whole command, whether it is ordered or not. */
  @Test
  void anInterruptEndsTheWholeBatch() {
    for (boolean ordered : new boolean[] {true, false}) {
      assertFails(
          () ->
              database
                  .database()
                  .insert(
                      leaving(5),
                      new InsertRequest(
                          TestDatabase.NAMESPACE, documents(DOCUMENTS), ordered, false)),
          ErrorCode.CLIENT_DISCONNECT);
      var statement = TestDatabase.statement("{c: 1}", "{$set: {d: 1}}", true, false);
      assertFails(
          () ->
              database
                  .database()
                  .update(
                      leaving(5),
                      new UpdateRequest(
                          TestDatabase.NAMESPACE, List.of(statement, statement), ordered, false)),
          ErrorCode.CLIENT_DISCONNECT);
    }
  }

  @Test
  void aCursorCanBeReadOnAfterAnOperationThatWasKilled() {
    try (ResultCursor cursor =
        database.database().find(database.operation(), Finds.all().toRequest())) {
      TestDatabase.take(cursor, 10);
      cursor.detach();
      OperationContext killed = database.operation();
      killed.kill(ErrorCode.INTERRUPTED);
      cursor.attach(killed);
      assertFails(cursor::peek, ErrorCode.INTERRUPTED);
    }
  }

  @Test
  void waitingForALockCanBeInterrupted() throws InterruptedException {
    var lock = new ReentrantLock();
    lock.lock();
    try {
      OperationContext impatient = database.operation();
      impatient.limitMillis(1);
      assertFails(onOtherThread(() -> impatient.acquire(lock)), ErrorCode.MAX_TIME_MS_EXPIRED);
      assertFails(
          onOtherThread(
              () -> {
                Thread.currentThread().interrupt();
                database.operation().acquire(lock);
              }),
          ErrorCode.INTERRUPTED);
    } finally {
      lock.unlock();
    }
  }

  private static ThrowingCallable onOtherThread(Runnable task) {
    return () -> {
      var failure = new Throwable[1];
      Thread thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      task.run();
                    } catch (Throwable e) {
                      failure[0] = e;
                    }
                  });
      thread.join();
      if (failure[0] != null) {
        throw failure[0];
      }
    };
  }
}
