package dev.wisent.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was acknowledged is seen by all readers, by whatever way, and never disappears again. */
class ReadYourWritesTest {
  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.createIndex("{k: 1}");
  }

  @AfterEach
  void close() {
    database.assertValid();
    database.assertNothingLeaks();
    database.close();
  }

  private int number(String filter) {
    List<RawDocument> found = database.find(Finds.of(filter).toRequest());
    assertThat(found).hasSize(1);
    return found.getFirst().get("n").asInt32();
  }

  @Test
  void numbersNeverGoBack() {
    int documents = 2;
    database.insert("{_id: 0, k: 0, n: 0}", "{_id: 1, k: 1, n: 0}");
    var acknowledged = new AtomicIntegerArray(documents);
    var writers = new AtomicInteger(2);
    Workers.run(
        5,
        thread -> {
          if (thread < 2) {
            for (int i = 1; i <= 1_000; i++) {
              String filter = i % 3 == 0 ? "{k: %d}" : "{_id: %d}";
              database.update(filter.formatted(thread), "{$inc: {n: 1}}");
              acknowledged.set(thread, i);
            }
            writers.decrementAndGet();
            return;
          }
          int[] last = new int[documents];
          for (int i = 0; writers.get() > 0; i++) {
            int id = i % documents;
            int before = Math.max(last[id], acknowledged.get(id));
            last[id] = number((i % 4 < 2 ? "{_id: %d}" : "{k: %d}").formatted(id));
            assertThat(last[id]).isGreaterThanOrEqualTo(before);
          }
        });
    assertThat(number("{_id: 0}")).isEqualTo(1_000);
  }

  /** A document that is deleted and inserted again is there or not, but never the old one. */
  @Test
  void deletedDocumentsDoNotComeBack() {
    var version = new AtomicInteger();
    var stop = new AtomicInteger();
    Workers.run(
        4,
        thread -> {
          if (thread == 0) {
            for (int i = 1; i <= 600; i++) {
              database.insert("{_id: 1, k: 1, n: %d}".formatted(i));
              version.set(i);
              database.update("{_id: 1}", "{$set: {s: 1}}");
              database.delete("{_id: 1}", i % 2 == 0);
              assertThat(database.find("{_id: 1}")).isEmpty();
            }
            stop.set(1);
            return;
          }
          while (stop.get() == 0) {
            int before = version.get();
            for (RawDocument found : database.find(Finds.of("{_id: 1}").toRequest())) {
              assertThat(found.get("n").asInt32()).isGreaterThanOrEqualTo(before);
            }
          }
        });
  }
}
