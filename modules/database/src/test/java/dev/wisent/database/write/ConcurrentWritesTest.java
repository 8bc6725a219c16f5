package dev.wisent.database.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.Workers;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.WriteOutcome;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many threads that write to few documents. */
class ConcurrentWritesTest {
  private static final int THREADS = 8;
  private static final long RUN_NANOS = 1_500_000_000L;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    System.out.println("ConcurrentWritesTest seed " + seed);
    database = TestDatabase.open(directory);
  }

  @AfterEach
  void close() {
    database.assertValid();
    database.assertNothingLeaks();
    database.close();
  }

  @Test
  void noIncrementIsLost() {
    int documents = 3;
    for (int id = 0; id < documents; id++) {
      database.insert("{_id: %d, k: %d, n: 0, tags: [%d, 100]}".formatted(id, id, id));
    }
    database.createIndex("{k: 1}", "unique");
    database.createIndex("{tags: 1}");
    database.createIndex("{n: -1, k: 1}");
    var expected = new AtomicLongArray(documents);
    Workers.run(
        THREADS,
        thread -> {
          var random = new SplittableRandom(seed + thread);
          for (int i = 0; i < 400; i++) {
            increment(random, expected);
          }
        });
    for (int id = 0; id < documents; id++) {
      assertThat(database.count("{_id: %d, n: %d}".formatted(id, expected.get(id)))).isEqualTo(1);
    }
  }

  private void increment(SplittableRandom random, AtomicLongArray expected) {
    int id = random.nextInt(expected.length());
    String inc = "{$inc: {n: 1}}";
    switch (random.nextInt(5)) {
      case 0 -> add(expected, id, database.update("{_id: %d}".formatted(id), inc));
      case 1 -> add(expected, id, database.update("{k: %d}".formatted(id), inc));
      case 2 -> add(expected, id, database.update("{tags: %d}".formatted(id), inc));
      case 3 -> {
        WriteOutcome outcome = database.updateMany("{tags: 100}", inc);
        assertThat(outcome.failures()).isEmpty();
        assertThat(outcome.modified()).isEqualTo(expected.length());
        for (int i = 0; i < expected.length(); i++) {
          expected.incrementAndGet(i);
        }
      }
      default -> {
        FindAndModifyOutcome outcome =
            database.database().findAndModify(database.operation(), modify("{k: " + id + "}", inc));
        assertThat(outcome.updatedExisting()).isTrue();
        assertThat(outcome.value().get("k").asInt32()).isEqualTo(id);
        expected.incrementAndGet(id);
      }
    }
  }

  private static void add(AtomicLongArray expected, int id, WriteOutcome outcome) {
    assertThat(outcome.failures()).isEmpty();
    assertThat(outcome.modified()).isEqualTo(1);
    expected.incrementAndGet(id);
  }

  private static FindAndModifyRequest modify(String query, String update) {
    return new FindAndModifyRequest(
        TestDatabase.NAMESPACE,
        RawDocument.parse(query),
        RawDocument.EMPTY,
        update == null ? null : TestDatabase.value(update),
        true,
        false,
        RawDocument.EMPTY,
        List.of(),
        false,
        null);
  }

  @Test
  void uniqueKeysStayUnique() {
    database.create("{}");
    database.createIndex("{u: 1}", "unique", "sparse");
    database.createIndex("{v: 1}");
    database.createIndex("{'l.m': 1, w: -1}");
    var documents = new AtomicLong();
    var conflicts = new AtomicLong();
    Workers.run(
        THREADS,
        thread -> {
          var random = new SplittableRandom(seed + thread);
          long end = System.nanoTime() + RUN_NANOS;
          while (System.nanoTime() < end || conflicts.get() == 0) {
            write(random, documents, conflicts);
          }
        });
    assertThat(conflicts.get()).as("duplicate keys that were refused").isPositive();
    assertThat(database.collection().documents()).isEqualTo(documents.get());
    var keys = new HashSet<Integer>();
    List<RawDocument> stored =
        database.find(FindRequest.of(TestDatabase.NAMESPACE, RawDocument.EMPTY));
    assertThat(stored).hasSize((int) documents.get());
    for (RawDocument document : stored) {
      var own = new HashSet<Integer>();
      var elements = document.get("u").elements();
      while (elements.next()) {
        own.add(elements.value().asInt32());
      }
      assertThat(keys)
          .as("keys before %s among %s", document, stored)
          .doesNotContainAnyElementsOf(own);
      keys.addAll(own);
    }
  }

  /** Values of u are arrays, so that one document has several unique keys. */
  private void write(SplittableRandom random, AtomicLong documents, AtomicLong conflicts) {
    int id = random.nextInt(12);
    String u = "[%d, %d]".formatted(random.nextInt(20), random.nextInt(20));
    String set = "{$set: {u: %s, v: %d, l: [{m: 1}, {m: 2}]}}".formatted(u, random.nextInt(3));
    WriteOutcome outcome =
        switch (random.nextInt(8)) {
          case 0, 1 -> {
            WriteOutcome inserted =
                database.tryInsert(
                    random.nextBoolean(),
                    "{_id: %d, u: %s, v: 1}".formatted(id, u),
                    "{_id: %d, u: [%d], w: 2}".formatted(id + 1, random.nextInt(20)));
            documents.addAndGet(inserted.matched());
            yield inserted;
          }
          case 2 -> database.update("{_id: %d}".formatted(id), set);
          case 3 -> database.update("{v: 1}", set);
          case 4 -> database.updateMany("{v: {$gt: 0}}", "{$inc: {v: 1, w: 1}}");
          case 5 -> {
            WriteOutcome upserted = database.upsert("{_id: %d}".formatted(id), set);
            documents.addAndGet(upserted.upserted().size());
            yield upserted;
          }
          case 6 ->
              deleted(database.delete("{v: %d}".formatted(random.nextInt(4)), true), documents);
          default -> {
            var removed =
                database
                    .database()
                    .findAndModify(database.operation(), modify("{u: %d}".formatted(id), null));
            documents.addAndGet(-removed.matched());
            yield new WriteOutcome();
          }
        };
    outcome
        .failures()
        .forEach(
            failure -> {
              assertThat(failure.error().code()).isEqualTo(ErrorCode.DUPLICATE_KEY);
              conflicts.incrementAndGet();
            });
  }

  private static WriteOutcome deleted(WriteOutcome outcome, AtomicLong documents) {
    documents.addAndGet(-outcome.matched());
    return outcome;
  }

  @Test
  void upsertsOfOneKeyMakeOneDocument() {
    database.create("{}");
    database.createIndex("{k: 1}", "unique");
    for (int round = 0; round < 50; round++) {
      int key = round;
      var inserted = new AtomicLong();
      Workers.run(
          4,
          thread -> {
            WriteOutcome outcome = database.upsert("{k: %d}".formatted(key), "{$inc: {n: 1}}");
            assertThat(outcome.failures()).isEmpty();
            inserted.addAndGet(outcome.upserted().size());
            assertThat(outcome.matched() + outcome.upserted().size()).isEqualTo(1);
          });
      assertThat(inserted.get()).isEqualTo(1);
      assertThat(database.count("{k: %d, n: 4}".formatted(key))).isEqualTo(1);
    }
  }

  /** What an upsert runs into may be gone before it can be updated. */
  @Test
  void upsertsAmongDeletesNeverFail() {
    database.create("{}");
    database.createIndex("{k: 1}", "unique");
    Workers.run(
        THREADS,
        thread -> {
          for (int i = 0; i < 500; i++) {
            if (thread % 2 == 0) {
              database.delete("{k: 1}", i % 2 == 0);
            } else {
              assertThat(database.upsert("{k: 1}", "{$inc: {n: 1}}").failures()).isEmpty();
              assertThat(database.upsert("{_id: 1}", "{$set: {k: 1}}").failures())
                  .allMatch(failure -> failure.error().code() == ErrorCode.DUPLICATE_KEY);
            }
          }
        });
    assertThat(database.count("{k: 1}")).isLessThanOrEqualTo(1);
  }

  /** Each of them is taken by one thread only. */
  @Test
  void jobsAreTakenOnce() {
    int jobs = 300;
    for (int id = 0; id < jobs; id++) {
      database.insert("{_id: %d, state: 'free', priority: %d}".formatted(id, id % 7));
    }
    database.createIndex("{state: 1, priority: 1}");
    var taken = new AtomicLongArray(jobs);
    Workers.run(
        THREADS,
        thread -> {
          while (true) {
            FindAndModifyOutcome outcome =
                database
                    .database()
                    .findAndModify(
                        database.operation(),
                        modify("{state: 'free'}", "{$set: {state: 'taken'}}"));
            if (outcome.value() == null) {
              break;
            }
            taken.incrementAndGet(outcome.value().get("_id").asInt32());
          }
        });
    for (int id = 0; id < jobs; id++) {
      assertThat(taken.get(id)).as("times that job %d was taken", id).isEqualTo(1);
    }
  }
}
