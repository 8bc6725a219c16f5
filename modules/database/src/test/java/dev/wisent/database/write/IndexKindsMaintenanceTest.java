package dev.wisent.database.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.RandomData;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.operation.UpdateRequest;
import dev.wisent.database.operation.UpdateStatement;
import dev.wisent.database.operation.WriteOutcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After random inserts, updates and deletes, every kind of index has the entries that the documents
 * make, no more and no fewer; and so it has when it is written anew.
 */
class IndexKindsMaintenanceTest {
  private static final int ROUNDS = 10;
  private static final int DOCUMENTS = 40;
  private static final int WRITES = 40;

  private static final List<String> SPECS =
      List.of(
          "{key: {'$**': 1}}",
          "{key: {'$**': -1}, wildcardProjection: {'a.x': 1, c: 1, _id: 1}}",
          "{key: {'$**': 1}, wildcardProjection: {'a.x': 0, b: 0}}",
          "{key: {'a.$**': 1}}",
          "{key: {'b.x.$**': -1}}",
          "{key: {c: 1, 'a.$**': 1, 'b.y': -1}}",
          "{key: {'$**': 1, c: -1}, wildcardProjection: {a: 1}}",
          "{key: {a: 'hashed'}}",
          "{key: {'a.x': 'hashed'}}",
          "{key: {c: 1, 'b.x': 'hashed'}, sparse: true}",
          "{key: {a: 1}, partialFilterExpression: {b: {$exists: true}}}",
          "{key: {b: -1, a: 1}, partialFilterExpression: {'a.x': {$gt: 1}}}",
          "{key: {c: 1}, partialFilterExpression: {$or: [{a: {$type: 'array'}}, {b: {$in: [1]}}]}}",
          "{key: {a: 1}, partialFilterExpression: {'a.0': {$lt: 3}}}",
          "{key: {'$**': 1}, partialFilterExpression: {c: {$gte: 0}}}",
          "{key: {c: 1}, unique: true, partialFilterExpression: {b: {$lte: 2}}}",
          "{key: {_fts: 'text', _ftsx: 1}, weights: {'$**': 1}, default_language: 'english',"
              + " language_override: 'language', textIndexVersion: 3}",
          "{key: {'c.x': 1}, prepareUnique: true}",
          "{key: {c: -1}, prepareUnique: true}");

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private SplittableRandom random;
  private RandomData data;
  private TestDatabase database;
  private long applied;

  @Test
  void entriesFollowTheDocuments(@TempDir Path directory) {
    System.out.println("IndexKindsMaintenanceTest seed " + seed);
    try (var opened = TestDatabase.open(directory)) {
      database = opened;
      for (int round = 0; round < ROUNDS; round++) {
        random = new SplittableRandom(seed + round);
        data = new RandomData(random);
        database.create("{}");
        boolean indexesFirst = random.nextBoolean();
        List<RawDocument> specs = someSpecs();
        if (indexesFirst) {
          build(specs);
        }
        fill();
        if (!indexesFirst) {
          build(specs);
        }
        for (int i = 0; i < WRITES; i++) {
          write();
          assertValid();
        }
        database.database().changes().reindex(database.collection(), database.operation());
        assertValid();
        write();
        assertValid();
        database.reopen();
        assertValid();
        database.assertNothingLeaks();
        database.database().changes().drop(database.collection(), database.operation());
      }
    }
    assertThat(applied).as("documents changed").isGreaterThan(ROUNDS * WRITES / 4);
  }

  private void assertValid() {
    assertThat(database.validate().isValid())
        .as(() -> "seed %d: %s".formatted(seed, database.validate()))
        .isTrue();
  }

  private List<RawDocument> someSpecs() {
    var specs = new ArrayList<RawDocument>();
    for (int i = 0; i < SPECS.size(); i++) {
      if (random.nextInt(3) == 0) {
        String spec = SPECS.get(i);
        specs.add(RawDocument.parse("{v: 2, name: 'i" + i + "', " + spec.substring(1)));
      }
    }
    return specs;
  }

  /** Those that the documents allow. */
  private void build(List<RawDocument> specs) {
    for (RawDocument spec : specs) {
      try {
        database
            .database()
            .changes()
            .addIndexes(database.collection(), List.of(spec), database.operation());
      } catch (CommandException e) {
        assertThat(database.collection().index(spec.get("name").asString())).isNull();
      }
    }
  }

  private void fill() {
    var documents = new ArrayList<RawDocument>();
    for (int id = 0; id < DOCUMENTS; id++) {
      documents.add(RawDocument.of(data.document(id)));
    }
    database.insert(false, documents);
  }

  private void write() {
    RawDocument filter = RawDocument.of(data.filter());
    switch (random.nextInt(8)) {
      case 0 -> database.delete(filter.toJson(), false);
      case 1 -> database.insert(false, List.of(RawDocument.of(data.document(random.nextInt(99)))));
      default -> update(filter);
    }
  }

  private void update(RawDocument filter) {
    var statement =
        new UpdateStatement(
            filter,
            RawValue.ofDocument(RawDocument.of(data.update())),
            true,
            false,
            List.of(),
            RawDocument.EMPTY,
            null);
    WriteOutcome outcome =
        database
            .database()
            .update(
                database.operation(),
                new UpdateRequest(TestDatabase.NAMESPACE, List.of(statement), true, false));
    applied += outcome.matched();
  }
}
