package dev.wisent.database.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.Finds;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.ResultCursor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever happens to other documents between batches, a cursor gives each document that stays as
 * it is exactly once, and in order.
 */
class CursorConsistencyTest {
  private static final int STAYING = 60;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private TestDatabase database;
  private int nextId = STAYING;

  @Test
  void staysSeeEachOnce(@TempDir Path directory) {
    System.out.println("CursorConsistencyTest seed " + seed);
    try (var opened = TestDatabase.open(directory)) {
      database = opened;
      fill();
      for (int round = 0; round < 150; round++) {
        Finds find = query();
        List<Integer> expected =
            TestDatabase.ids(database.find(find.toRequest()).stream().filter(this::stays).toList());
        assertThat(inBatches(find)).as("seed %d round %d", seed, round).isEqualTo(expected);
      }
      database.assertValid();
      database.assertNothingLeaks();
    }
  }

  private boolean stays(RawDocument document) {
    return document.get("_id").asInt32() < STAYING;
  }

  private void fill() {
    database.create("{}");
    database.createIndex("{a: 1, _id: 1}");
    database.createIndex("{b: -1}", "unique");
    database.createIndex("{tags: 1, _id: -1}");
    for (int id = 0; id < STAYING; id++) {
      database.insert(document(id));
      if (random.nextInt(3) == 0) {
        database.insert(document(nextId++));
      }
    }
  }

  private String document(int id) {
    return "{_id: %d, a: %d, b: %d, tags: [%d, %d]}"
        .formatted(id, random.nextInt(10), id * 7919 % 100_003, random.nextInt(5), 5 + id % 3);
  }

  private Finds query() {
    int from = random.nextInt(8);
    return switch (random.nextInt(10)) {
      case 0 -> Finds.all();
      case 1 -> Finds.all().hint("{$natural: -1}");
      case 2 -> Finds.of("{a: {$gte: %d}}".formatted(from)).sort("{a: 1, _id: 1}");
      case 3 -> Finds.of("{a: {$gte: %d}}".formatted(from)).sort("{a: -1, _id: -1}");
      case 4 -> Finds.of("{a: {$in: [%d, 3, 7]}}".formatted(from));
      case 5 -> Finds.of("{b: {$gt: %d}}".formatted(from * 10_000)).sort("{b: -1}");
      case 6 -> Finds.of("{tags: {$in: [1, %d, 6]}}".formatted(from));
      case 7 -> Finds.of("{_id: {$in: [%d, 70, 3, 41.0, 'x', 12]}}".formatted(from));
      case 8 -> Finds.of("{_id: {$in: [59, %d, 20, 61]}}".formatted(from)).sort("{_id: -1}");
      default -> Finds.of("{_id: {$gte: %d}}".formatted(from)).sort("{_id: -1}");
    };
  }

  private List<Integer> inBatches(Finds find) {
    var staying = new ArrayList<Integer>();
    try (ResultCursor cursor = database.database().find(database.operation(), find.toRequest())) {
      while (!cursor.isExhausted()) {
        cursor.attach(database.operation());
        TestDatabase.take(cursor, random.nextInt(9)).stream()
            .filter(this::stays)
            .forEach(document -> staying.add(document.get("_id").asInt32()));
        cursor.detach();
        disturb();
      }
    }
    return staying;
  }

  private void disturb() {
    int id = STAYING + random.nextInt(nextId - STAYING);
    switch (random.nextInt(5)) {
      case 0 -> database.insert(document(nextId++));
      case 1, 2 -> database.delete("{_id: %d}".formatted(id), false);
      case 3 -> database.update("{_id: %d}".formatted(id), "{$inc: {a: 1}}");
      default ->
          database.updateMany(
              "{_id: {$gte: %d, $lt: %d}}".formatted(id, id + 5),
              "{$addToSet: {tags: %d}}".formatted(random.nextInt(9)));
    }
  }
}
