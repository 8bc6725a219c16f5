package dev.wisent.database.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.storage.Snapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordWalkTest {
  private static final int RECORDS = 200;

  private TestDatabase database;
  private Collection collection;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    List<RawDocument> documents =
        IntStream.rangeClosed(1, RECORDS)
            .mapToObj(id -> RawDocument.parse("{_id: " + id + "}"))
            .toList();
    database.insert(true, documents);
    database.delete("{_id: {$mod: [7, 0]}}", true);
    collection = database.collection();
  }

  @AfterEach
  void close() {
    database.assertNothingLeaks();
    database.close();
  }

  /** Runs of neighbours in both directions, jumps, records that are gone, and new states. */
  @Test
  void readsWhatAReadByIdWouldGive() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new Random(seed);
    Snapshot state = database.engine().snapshot();
    try (var walk = new RecordWalk(collection, state)) {
      long recordId = 1;
      for (int run = 0; run < 500; run++) {
        int step = random.nextInt(-6, 7);
        int length = random.nextInt(1, 40);
        for (int i = 0; i < length; i++) {
          recordId = Math.floorMod(recordId + step, RECORDS + 5);
          RawDocument expected =
              recordId % 7 == 0 || recordId > RECORDS
                  ? null
                  : RawDocument.parse("{_id: " + recordId + "}");
          assertThat(walk.read(recordId))
              .as("seed %d, record %d", seed, recordId)
              .isEqualTo(expected);
        }
        if (random.nextInt(5) == 0) {
          walk.close();
          state.close();
          state = database.engine().snapshot();
          walk.resume(state);
        }
      }
    } finally {
      state.close();
    }
  }
}
