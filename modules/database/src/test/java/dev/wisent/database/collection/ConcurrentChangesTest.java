package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Finds;
import dev.wisent.database.StoreContents;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.Workers;
import dev.wisent.database.check.CollectionValidator;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.operation.diagnostic.ValidationReport;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of the catalog while others read and write. */
class ConcurrentChangesTest {
  private static final Namespace OTHER = new Namespace("test", "other");

  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
  }

  @AfterEach
  void close() {
    for (Collection collection : database.database().catalog().all()) {
      ValidationReport report =
          new CollectionValidator(database.engine(), collection, database.operation()).run();
      assertThat(report.isValid()).as("%s", report).isTrue();
    }
    StoreContents.assertNothingUnknown(database);
    database.assertNothingLeaks();
    database.close();
  }

  private CatalogChanges changes() {
    return database.database().changes();
  }

  @Test
  void collectionsAreMadeOnceByManyInserts() {
    for (int round = 0; round < 10; round++) {
      int number = round;
      Workers.run(6, thread -> database.insert("{_id: '%d-%d'}".formatted(number, thread)));
      assertThat(database.count("{}")).isEqualTo(6);
      changes().drop(database.collection(), database.operation());
    }
  }

  /**
   * A write goes to the collection that has the name then, or to none; never to one that is gone.
   */
  @Test
  void writesAmongDropsAndRenames() {
    var stop = new AtomicBoolean();
    Workers.run(
        6,
        thread -> {
          if (thread > 1) {
            for (int i = 0; !stop.get(); i++) {
              WriteOutcome outcome =
                  database.tryInsert(true, "{_id: '%d-%d', a: [1, 2]}".formatted(thread, i));
              assertThat(outcome.failures()).isEmpty();
              database.updateMany("{a: 1}", "{$set: {b: 1}}");
            }
          } else if (thread == 1) {
            for (int i = 0; i < 60; i++) {
              changeSomething(i);
            }
            stop.set(true);
          } else {
            while (!stop.get()) {
              database.find("{a: 2}");
              database.count("{b: 1}");
            }
          }
        });
  }

  private void changeSomething(int i) {
    Collection collection = database.database().catalog().find(TestDatabase.NAMESPACE);
    if (collection == null) {
      return;
    }
    try {
      switch (i % 3) {
        case 0 -> changes().drop(collection, database.operation());
        case 1 -> {
          Collection replaced = database.database().catalog().find(OTHER);
          changes().rename(collection, OTHER, replaced, database.operation());
        }
        default ->
            changes()
                .addIndexes(
                    collection,
                    List.of(TestDatabase.indexSpec(RawDocument.parse("{a: 1}"))),
                    database.operation());
      }
    } catch (CommandException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_NOT_FOUND);
    }
  }

  /** With or without the index, every answer is the same and complete. */
  @Test
  void readsWhileAnIndexComesAndGoes() {
    for (int id = 0; id < 300; id++) {
      database.insert("{_id: %d, a: %d}".formatted(id, id % 3));
    }
    var stop = new AtomicBoolean();
    Workers.run(
        4,
        thread -> {
          if (thread == 0) {
            for (int i = 0; i < 25; i++) {
              database.createIndex("{a: 1}");
              database.dropIndex("a_1");
            }
            stop.set(true);
            return;
          }
          while (!stop.get()) {
            assertThat(database.find("{a: 1}")).hasSize(100);
            assertThat(database.count("{a: {$gt: 0}}")).isEqualTo(200);
          }
        });
  }

  /** The first array of an index may come between the plan of a query and what it reads. */
  @Test
  void readsWhileAnIndexGetsItsFirstArray() {
    for (int round = 0; round < 40; round++) {
      database.create("{}");
      database.createIndex("{a: 1}");
      database.insert("{_id: 1, a: 7}", "{_id: 2, a: 100}");
      var changed = new AtomicBoolean();
      Workers.run(
          3,
          thread -> {
            if (thread == 0) {
              database.update("{_id: 1}", "{$set: {a: [1, 20]}}");
              changed.set(true);
              return;
            }
            boolean last;
            do {
              last = changed.get();
              assertThat(database.count("{a: {$gt: 5, $lt: 10}}")).isEqualTo(1);
            } while (!last);
          });
      changes().drop(database.collection(), database.operation());
    }
  }

  /** An index build keeps writers waiting, but no reader, and a writer may give up. */
  @Test
  void readersDoNotWaitForAChange() throws InterruptedException {
    database.insert("{_id: 1, a: 1}");
    Collection collection = database.collection();
    var locked = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    Thread change =
        Thread.ofPlatform()
            .start(
                () -> {
                  collection.exclusiveLock().lock();
                  try {
                    locked.countDown();
                    release.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  } finally {
                    collection.exclusiveLock().unlock();
                  }
                });
    locked.await();
    assertThat(database.find("{a: 1}")).hasSize(1);
    assertThat(database.find("{_id: 1}")).hasSize(1);
    assertThat(database.count("{a: {$gt: 0}}")).isEqualTo(1);
    database.assertValid();
    OperationContext impatient = database.operation();
    impatient.limitMillis(20);
    assertThat(
            catchThrowableOfType(
                    CommandException.class,
                    () ->
                        database
                            .database()
                            .update(
                                impatient,
                                TestDatabase.request(
                                    TestDatabase.statement(
                                        "{_id: 1}", "{$set: {a: 2}}", false, false))))
                .code())
        .isEqualTo(ErrorCode.MAX_TIME_MS_EXPIRED);
    release.countDown();
    change.join();
    assertThat(database.find(Finds.of("{a: 1}").toRequest())).hasSize(1);
  }
}
