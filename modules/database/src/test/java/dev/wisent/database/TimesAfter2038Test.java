package dev.wisent.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Oplog;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateContexts;
import dev.wisent.query.update.UpdateContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Timestamps whose seconds do not fit into a signed number of 32 bits. */
class TimesAfter2038Test {
  private static final long LAST_SECOND_BEFORE = Integer.MAX_VALUE;
  private static final int INSERTS = 8;

  private TestDatabase database;
  private OplogKeepingLog log;

  @BeforeEach
  void open(@TempDir Path directory) {
    database =
        TestDatabase.open(
            directory,
            below -> {
              log = new OplogKeepingLog(below);
              return log;
            });
    log.second(LAST_SECOND_BEFORE - INSERTS / 2);
    database.create("{}");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void snapshotsAndTheOplogAreInOrder() {
    List<Long> times = new ArrayList<>();
    database.database().snapshots().use();
    for (int i = 1; i <= INSERTS; i++) {
      database.insert("{_id: " + i + "}");
      database.database().snapshots().applied();
      times.add(database.database().catalog().oplog().newest());
    }
    assertThat(times.getFirst()).isPositive();
    assertThat(times.getLast()).isNegative();
    for (int i = 0; i < INSERTS; i++) {
      assertThat(countAt(times.get(i))).as("at %x", times.get(i)).isEqualTo(i + 1);
      assertThat(countAt(times.get(i) + 1)).as("after %x", times.get(i)).isEqualTo(i + 1);
      assertThat(oplogAfter(times.get(i))).containsExactlyElementsOf(times.subList(i + 1, INSERTS));
    }
  }

  private long countAt(long time) {
    OperationContext operation = database.operation();
    try (ReadState state = database.database().snapshots().at(time)) {
      operation.readPoint(state);
      return database
          .database()
          .count(
              operation, new CountRequest(TestDatabase.NAMESPACE, RawDocument.EMPTY, 0, 0, null));
    }
  }

  private List<Long> oplogAfter(long time) {
    String filter =
        "{ts: {$gt: {$timestamp: {t: %d, i: %d}}}}".formatted(time >>> 32, time & 0xFFFF_FFFFL);
    return database.find(FindRequest.of(Oplog.NAMESPACE, RawDocument.parse(filter))).stream()
        .map(entry -> entry.get("ts").asInt64())
        .toList();
  }

  @Test
  void timestampsOfUpdatesGrow() {
    var millis = new AtomicLong((LAST_SECOND_BEFORE - 2) * 1000);
    UpdateContext context =
        UpdateContexts.of(
            new Clock() {
              @Override
              public long wallMillis() {
                return millis.addAndGet(700);
              }

              @Override
              public long monotonicNanos() {
                return 0;
              }
            },
            RandomSource.seeded(1));
    long last = context.nextTimestamp().getAsLong();
    for (int i = 0; i < 10; i++) {
      long next = context.nextTimestamp().getAsLong();
      assertThat(Long.compareUnsigned(next, last)).isPositive();
      assertThat(next >>> 32).isGreaterThanOrEqualTo(millis.get() / 1000);
      last = next;
    }
  }
}
