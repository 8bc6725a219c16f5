package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.check.CollectionValidator;
import dev.wisent.database.transaction.TestTransaction;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.FindRequest.Tailing;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.diagnostic.ValidationReport;
import dev.wisent.operation.oplog.OplogLimits;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OplogTrimmerTest {
  private static final int BYTES_MAX = 20_000;
  private static final String PAD = "x".repeat(500);

  @TempDir Path directory;
  private TestDatabase db;
  private int inserted;

  @BeforeEach
  void open() {
    db = TestDatabase.openWithOplog(directory);
    oplog().initialLimits(new OplogLimits(BYTES_MAX, 0));
  }

  @AfterEach
  void close() {
    db.close();
  }

  @Test
  void theOldestEntriesGoAndTheFiguresStayTrue() {
    insert(100);
    assertThat(trim()).isPositive();
    List<RawDocument> left = entries();
    long bytes = left.stream().mapToLong(RawDocument::length).sum();
    assertThat(bytes).isBetween(BYTES_MAX - 2_000L, (long) BYTES_MAX);
    assertThat(oplog().bytes()).isEqualTo(bytes);
    assertThat(oplog().entries()).isEqualTo(left.size());
    assertThat(left.getLast().get("o").asDocument().get("_id").asInt32()).isEqualTo(99);
    assertThat(trim()).isZero();
    ValidationReport report =
        new CollectionValidator(db.engine(), oplog().collection(), db.operation()).run();
    assertThat(report.isValid()).as("%s", report).isTrue();
    assertThat(report.records()).isEqualTo(left.size());
    db.reopen();
    assertThat(entries()).isEqualTo(left);
    assertThat(oplog().bytes()).isEqualTo(bytes);
  }

  @Test
  void aLittleTooMuchStays() {
    while (oplog().bytes() <= BYTES_MAX) {
      insert(1);
    }
    oplog().initialLimits(new OplogLimits(oplog().bytes() - 10, 0));
    assertThat(trim()).isZero();
  }

  @Test
  void whatIsYoungStays() {
    // The entries of these tests are of the first seconds after 1970.
    insert(100);
    db.database().oplogTrimmer().limit(new OplogLimits(BYTES_MAX, 1_000_000), db.operation());
    assertThat(trim()).isZero();
    db.database().oplogTrimmer().limit(new OplogLimits(BYTES_MAX, 1), db.operation());
    assertThat(trim()).isPositive();
  }

  @Test
  void theNewestEntryAlwaysStays() {
    db.database().oplogTrimmer().limit(new OplogLimits(1, 0), db.operation());
    insert(3);
    assertThat(trim()).isEqualTo(3);
    assertThat(entries()).hasSize(1);
    assertThat(trim()).isZero();
  }

  @Test
  void aPreparationStaysUntilItHasAnOutcome() {
    insert(1);
    TestTransaction transaction = TestTransaction.of(db).insert("{_id: 'prepared'}");
    long preparedAt = transaction.prepare();
    insert(100);
    trim();
    assertThat(oplog().bytes()).isGreaterThan(BYTES_MAX);
    assertThat(entries().getFirst().get("ts").asInt64()).isEqualTo(preparedAt);
    db.reopen();
    transaction.commitAt(preparedAt);
    assertThat(db.find("{_id: 'prepared'}")).hasSize(1);
    assertThat(trim()).isPositive();
    assertThat(oplog().bytes()).isLessThanOrEqualTo(BYTES_MAX);
  }

  @Test
  void theFirstWhoLeadsSetsTheLimitsForGood() {
    trim();
    db.reopen();
    oplog().initialLimits(new OplogLimits(5, 0));
    assertThat(oplog().limits()).isEqualTo(new OplogLimits(BYTES_MAX, 0));
    assertThat(oplog().collection().capped().bytesMax()).isEqualTo(BYTES_MAX);
    assertThat(oplog().collection().definition().options().get("size").toLong())
        .isEqualTo(BYTES_MAX);
  }

  @Test
  void aReaderWhosePlaceIsGoneIsToldSo() {
    insert(100);
    var request = new FindRequest.Builder().tailing(Tailing.TAILABLE).build(Oplog.NAMESPACE);
    try (ResultCursor cursor = db.database().find(db.operation(), request)) {
      TestDatabase.take(cursor, 5);
      cursor.detach();
      trim();
      cursor.attach(db.operation());
      assertThatThrownBy(cursor::peek)
          .isInstanceOfSatisfying(
              CommandException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.CAPPED_POSITION_LOST));
    }
  }

  @Test
  void theDefaultIsAPartOfTheFreeSpaceWithinReason() {
    assertThat(OplogLimits.forFreeSpace(1L << 30).megabytes()).isEqualTo(990);
    assertThat(OplogLimits.forFreeSpace(100L << 30).megabytes()).isEqualTo(5 * 1024);
    assertThat(OplogLimits.forFreeSpace(100L << 40).megabytes()).isEqualTo(50 * 1024);
  }

  private void insert(int count) {
    for (int i = 0; i < count; i++) {
      db.insert("{_id: " + inserted++ + ", pad: '" + PAD + "'}");
    }
  }

  private long trim() {
    return db.database().oplogTrimmer().trim(db.operation());
  }

  private Oplog oplog() {
    return db.database().catalog().oplog();
  }

  private List<RawDocument> entries() {
    return db.find(FindRequest.of(Oplog.NAMESPACE, RawDocument.EMPTY));
  }
}
