package dev.wisent.database.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Finds;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.Workers;
import dev.wisent.operation.WriteOutcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CappedCollectionTest {
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

  private List<Integer> ids() {
    return TestDatabase.ids(database.find(Finds.all().toRequest()));
  }

  private void insert(int from, int to) {
    var documents = new ArrayList<RawDocument>();
    for (int id = from; id < to; id++) {
      documents.add(RawDocument.parse("{_id: %d, a: %d}".formatted(id, id % 3)));
    }
    assertThat(database.insert(true, documents).failures()).isEmpty();
  }

  @Test
  void theOldestGoWhenThereAreTooMany() {
    database.create("{capped: true, size: 100000, max: 4}");
    database.createIndex("{a: 1}");
    insert(0, 10);
    assertThat(ids()).containsExactly(6, 7, 8, 9);
    database.reopen();
    insert(10, 12);
    assertThat(ids()).containsExactly(8, 9, 10, 11);
    assertThat(TestDatabase.ids(database.find(Finds.all().sort("{$natural: -1}").toRequest())))
        .containsExactly(11, 10, 9, 8);
  }

  @Test
  void theOldestGoWhenTheyAreTooLarge() {
    database.create("{capped: true, size: 1000}");
    int length = RawDocument.parse("{_id: 1, s: '%s'}".formatted("x".repeat(300))).length();
    assertThat(1000 / length).isEqualTo(3);
    for (int id = 0; id < 10; id++) {
      database.insert("{_id: %d, s: '%s'}".formatted(id, "x".repeat(300)));
      assertThat(database.collection().dataBytes()).isLessThanOrEqualTo(1000);
    }
    assertThat(ids()).containsExactly(7, 8, 9);
    database.insert("{_id: 10, s: '%s'}".formatted("x".repeat(900)));
    assertThat(ids()).containsExactly(10);
    database.insert("{_id: 11}", "{_id: 12}");
    assertThat(ids()).containsExactly(10, 11, 12);
  }

  @Test
  void whatCannotFitIsRefusedAndNothingGoesForIt() {
    database.create("{capped: true, size: 1000}");
    database.insert("{_id: 1}");
    String tooLarge = "{_id: 2, s: '%s'}".formatted("x".repeat(1000));
    WriteOutcome outcome = database.tryInsert(false, tooLarge, "{_id: 3}");
    assertThat(outcome.failures()).hasSize(1);
    assertThat(outcome.failures().getFirst().error().code()).isEqualTo(ErrorCode.BAD_VALUE);
    assertThat(
            database.upsert("{_id: 2}", "{$set: {s: '%s'}}".formatted("x".repeat(1000))).failures())
        .hasSize(1);
    assertThat(ids()).containsExactly(1, 3);
  }

  /** No reader sees more than the limit allows, nor the new document without the eviction. */
  @Test
  void evictionIsPartOfTheInsert() {
    database.create("{capped: true, size: 100000, max: 5}");
    insert(0, 5);
    var stop = new AtomicBoolean();
    Workers.run(
        3,
        thread -> {
          if (thread == 0) {
            insert(5, 400);
            stop.set(true);
            return;
          }
          while (!stop.get()) {
            List<Integer> seen = ids();
            assertThat(seen).hasSize(5);
            assertThat(seen)
                .isEqualTo(IntStream.range(seen.get(0), seen.get(0) + 5).boxed().toList());
          }
        });
    assertThat(ids()).containsExactly(395, 396, 397, 398, 399);
  }

  @Test
  void aFailedInsertEvictsNothing() {
    database.create("{capped: true, size: 100000, max: 3}");
    insert(0, 3);
    assertThat(database.tryInsert(false, "{_id: 1}", "{_id: 0}").failures()).hasSize(2);
    assertThat(ids()).containsExactly(0, 1, 2);
    // The key becomes free with the eviction, for the next one.
    insert(3, 4);
    assertThat(database.tryInsert(false, "{_id: 0}").failures()).isEmpty();
    assertThat(ids()).containsExactly(2, 3, 0);
  }

  @Test
  void updatesKeepTheirPlace() {
    database.create("{capped: true, size: 1000, max: 10}");
    insert(0, 4);
    assertThat(
            database.update("{_id: 1}", "{$set: {s: '%s'}}".formatted("x".repeat(700))).modified())
        .isEqualTo(1);
    assertThat(ids()).containsExactly(0, 1, 2, 3);
    // What has grown goes when its turn comes.
    insert(4, 14);
    assertThat(database.collection().dataBytes()).isLessThanOrEqualTo(1000);
    assertThat(ids()).startsWith(4);
  }

  @Test
  void deletesMakeRoom() {
    database.create("{capped: true, size: 100000, max: 3}");
    insert(0, 3);
    database.delete("{_id: {$in: [0, 1]}}", true);
    insert(3, 5);
    assertThat(ids()).containsExactly(2, 3, 4);
    insert(5, 6);
    assertThat(ids()).containsExactly(3, 4, 5);
  }

  @Test
  void smallerLimitsHoldFromTheNextInsertOn() {
    database.create("{capped: true, size: 100000, max: 8}");
    insert(0, 8);
    database
        .database()
        .changes()
        .modify(
            database.collection(),
            definition ->
                definition.withOptions(RawDocument.parse("{capped: true, size: 100000, max: 2}")),
            database.operation());
    assertThat(ids()).hasSize(8);
    insert(8, 9);
    assertThat(ids()).containsExactly(7, 8);
  }

  /** Evictions meet deletes and updates of the same documents, and inserts meet each other. */
  @Test
  void insertsEvictionsUpdatesAndDeletesAtOnce() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    System.out.println("CappedCollectionTest seed " + seed);
    database.create("{capped: true, size: 3000, max: 20}");
    database.createIndex("{a: 1}");
    database.createIndex("{tags: 1}");
    database.createIndex("{u: 1}", "unique");
    Workers.run(
        6,
        thread -> {
          var random = new SplittableRandom(seed + thread);
          for (int i = 0; i < 400; i++) {
            int u = thread * 1000 + i;
            switch (thread) {
              case 0, 1 ->
                  assertThat(
                          database
                              .tryInsert(true, "{a: 1, u: %d, tags: [1, 2]}".formatted(u))
                              .failures())
                      .isEmpty();
              case 2 -> database.upsert("{a: 7}", "{$set: {u: %d}, $inc: {n: 1}}".formatted(u));
              case 3 -> database.delete("{tags: %d}".formatted(random.nextInt(4)), false);
              case 4 ->
                  database.updateMany(
                      "{a: 1}", "{$set: {tags: [%d], s: '%s'}}".formatted(i, "x".repeat(i % 50)));
              default -> {
                List<RawDocument> seen = database.find(Finds.all().showRecordId().toRequest());
                assertThat(seen).hasSizeLessThanOrEqualTo(20);
                assertThat(seen.stream().map(d -> d.get("$recordId").asInt64()).toList())
                    .isSorted();
              }
            }
          }
        });
    assertThat(database.count("{}")).isLessThanOrEqualTo(20);
  }
}
