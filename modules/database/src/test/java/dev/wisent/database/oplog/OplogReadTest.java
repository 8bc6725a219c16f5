package dev.wisent.database.oplog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.Oplog;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.FindRequest.Tailing;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The oplog as clients read it. The entries of these tests have the seconds 1 to 101. */
class OplogReadTest {
  private static final int ENTRIES = 101;

  @TempDir Path directory;
  private TestDatabase db;

  @BeforeEach
  void open() {
    db = TestDatabase.openWithOplog(directory);
    for (int i = 1; i < ENTRIES; i++) {
      db.insert("{_id: " + i + "}");
    }
  }

  @AfterEach
  void close() {
    db.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{$gt: T98}             | 99, 101 | 4",
        "{$gte: T99}            | 99, 101 | 3",
        "{$lt: T3}              | 1, 2    | 3",
        "{$lte: T3}             | 1, 3    | 3",
        "T50                    | 50, 50  | 1",
        "{$gt: T40, $lt: T43}   | 41, 42  | 4",
        "{$gte: T98, $lt: T3}   | 1, 0    | 0",
        "{$gt: T101}            | 1, 0    | 1",
        "{$gt: T200}            | 1, 0    | 0",
        "{$gte: {$timestamp: {t: -1, i: -1}}}  | 1, 0 | 0",
        "{$gt: 0}               | 1, 0    | 101",
      })
  void conditionsOnTimeAreSeekedBothWays(String condition, String range, int examined) {
    String filter =
        "{ts: " + condition.replaceAll("T(\\d+)", "{\\$timestamp: {t: $1, i: 1}}") + "}";
    String[] ends = range.split(", ");
    List<Long> expected =
        LongStream.rangeClosed(Long.parseLong(ends[0]), Long.parseLong(ends[1])).boxed().toList();
    OperationContext operation = db.operation();
    assertThat(seconds(filter, "{}", operation)).isEqualTo(expected);
    assertThat(operation.documentsExamined()).isEqualTo(examined);
    OperationContext backwards = db.operation();
    assertThat(seconds(filter, "{$natural: -1}", backwards)).isEqualTo(expected.reversed());
    assertThat(backwards.documentsExamined()).isEqualTo(examined);
  }

  @Test
  void otherConditionsCountAndTheRestIsLikeAnyCollection() {
    assertThat(seconds("{op: 'c'}", "{}", db.operation())).containsExactly(1L);
    assertThat(seconds("{'o._id': 7}", "{}", db.operation())).containsExactly(8L);
    assertThat(seconds("{_id: 7}", "{}", db.operation())).isEmpty();
    assertThat(seconds("{'o._id': {$lt: 3}}", "{ts: -1}", db.operation())).containsExactly(3L, 2L);
    assertThat(count("{}")).isEqualTo(ENTRIES);
    assertThat(count("{op: 'i'}")).isEqualTo(ENTRIES - 1);
    Collection oplog = db.database().catalog().require(Oplog.NAMESPACE);
    long bytes = find("{}", "{}", db.operation()).stream().mapToLong(RawDocument::length).sum();
    assertThat(oplog.dataBytes()).isEqualTo(bytes);
    assertThat(oplog.capped().bytesMax()).isEqualTo(990L << 20);
    assertThat(db.database().catalog().inDatabase("local")).containsExactly(oplog);
  }

  @Test
  void itGoesOnAfterARestart() {
    db.reopen();
    db.insert("{_id: 1000}");
    assertThat(seconds("{ts: {$gte: {$timestamp: {t: 101, i: 1}}}}", "{}", db.operation()))
        .containsExactly(101L, 102L);
    assertThat(count("{}")).isEqualTo(ENTRIES + 1);
  }

  @Test
  void aTailedCursorIsWokenByNewEntries() throws Exception {
    var request = request("{ts: {$gte: {$timestamp: {t: 101, i: 1}}}}", "{}", Tailing.AWAIT_DATA);
    try (ResultCursor cursor = db.database().find(db.operation(), request)) {
      assertThat(TestDatabase.take(cursor, 10)).hasSize(1);
      assertThat(cursor.isExhausted()).isFalse();
      CompletableFuture<Void> insert =
          CompletableFuture.runAsync(() -> db.insert("{_id: 1000}", "{_id: 1001}"));
      cursor.awaitMore(TimeUnit.SECONDS.toMillis(30));
      assertThat(TestDatabase.take(cursor, 10).stream().map(OplogReadTest::second))
          .containsExactly(102L, 102L);
      insert.get(30, TimeUnit.SECONDS);
    }
    db.assertNothingLeaks();
  }

  @Test
  void nobodyWritesToItOrChangesIt() {
    var insert =
        new InsertRequest(Oplog.NAMESPACE, List.of(RawDocument.parse("{_id: 1}")), true, false);
    assertRefused(ErrorCode.INVALID_NAMESPACE, () -> db.database().insert(db.operation(), insert));
    var delete =
        new DeleteRequest(
            Oplog.NAMESPACE, List.of(new DeleteStatement(RawDocument.EMPTY, true, null)), true);
    assertThat(db.database().delete(db.operation(), delete).failures()).hasSize(1);
    Collection oplog = db.database().catalog().require(Oplog.NAMESPACE);
    assertRefused(
        ErrorCode.DROP_OF_LIVE_OPLOG, () -> db.database().changes().drop(oplog, db.operation()));
    assertRefused(
        ErrorCode.ILLEGAL_OPERATION,
        () ->
            db.database()
                .changes()
                .rename(oplog, new Namespace("local", "x"), null, db.operation()));
    assertRefused(
        ErrorCode.OPLOG_OPERATION_UNSUPPORTED,
        () ->
            db.database()
                .changes()
                .addIndexes(
                    oplog,
                    List.of(TestDatabase.indexSpec(RawDocument.parse("{a: 1}"))),
                    db.operation()));
    assertThat(count("{}")).isEqualTo(ENTRIES);
  }

  private static void assertRefused(ErrorCode code, Runnable action) {
    assertThatThrownBy(action::run)
        .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private long count(String query) {
    return db.database()
        .count(
            db.operation(),
            new CountRequest(Oplog.NAMESPACE, RawDocument.parse(query), 0, 0, null));
  }

  private List<Long> seconds(String filter, String sort, OperationContext operation) {
    return find(filter, sort, operation).stream().map(OplogReadTest::second).toList();
  }

  private static long second(RawDocument entry) {
    RawValue time = entry.get("ts");
    return time.asInt64() >>> 32;
  }

  private List<RawDocument> find(String filter, String sort, OperationContext operation) {
    return TestDatabase.drain(db.database().find(operation, request(filter, sort, Tailing.NONE)));
  }

  private static FindRequest request(String filter, String sort, Tailing tailing) {
    return new FindRequest.Builder()
        .filter(RawDocument.parse(filter))
        .sort(RawDocument.parse(sort))
        .tailing(tailing)
        .build(Oplog.NAMESPACE);
  }
}
