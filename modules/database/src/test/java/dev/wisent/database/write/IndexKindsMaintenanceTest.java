package dev.wisent.database.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.RandomData;
import dev.wisent.database.RandomUpdates;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.operation.diagnostic.ValidationReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After random inserts, updates and deletes, every kind of index has the entries that the documents
 * make, no more and no fewer; and so it has when it is written anew.
 *
 * <p>{@code -Dwisent.seed} repeats a run.
 */
class IndexKindsMaintenanceTest {
  private static final int DOCUMENTS = 40;
  private static final int WRITES = 40;

  private static final String TEXT_OPTIONS =
      " default_language: 'english', language_override: 'language', textIndexVersion: 3}";
  private static final String SPHERE = ", '2dsphereIndexVersion': 3}";

  private static final List<String> SPECS =
      List.of(
          "{key: {a: 1}}",
          "{key: {'a.x': -1}}",
          "{key: {'b.y': 1, a: -1}}",
          "{key: {'a.0': 1, 'a.x': 1}}",
          "{key: {'a.1.y': 1}}",
          "{key: {'a.x.y': 1, c: 1}, sparse: true}",
          "{key: {'b.z': 1}, sparse: true}",
          "{key: {'b.x': 1}, hidden: true}",
          "{key: {a: 1, _id: 1}, unique: true}",
          "{key: {'a.y': 1}, unique: true, sparse: true}",
          "{key: {'c.x': 1}, unique: true}",
          "{key: {b: 1}, expireAfterSeconds: 3600}",
          "{key: {'a.x': 1, b: 1}, collation: {locale: 'en', strength: 2}}",
          "{key: {c: -1}, collation: {locale: 'de', numericOrdering: true}}",
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
          "{key: {b: 1}, partialFilterExpression: {'a.y': null}}",
          "{key: {'$**': 1}, partialFilterExpression: {c: {$gte: 0}}}",
          "{key: {c: 1}, unique: true, partialFilterExpression: {b: {$lte: 2}}}",
          "{key: {_fts: 'text', _ftsx: 1}, weights: {'$**': 1}," + TEXT_OPTIONS,
          "{key: {c: 1, _fts: 'text', _ftsx: 1, b: -1}, weights: {'a.x': 1, b: 2}," + TEXT_OPTIONS,
          "{key: {'c.x': 1}, prepareUnique: true}",
          "{key: {c: -1}, prepareUnique: true}",
          "{key: {p: '2dsphere'}" + SPHERE,
          "{key: {p: '2dsphere', 'a.x': 1}" + SPHERE,
          "{key: {c: 1, 'p.q': '2dsphere'}" + SPHERE,
          "{key: {p: '2d'}}",
          "{key: {'p.q': '2d', 'p.r': 1, b: -1}}");

  private static final List<String> PLACES =
      List.of(
          "[1, 2]",
          "[[1, 2], [3, 4]]",
          "{x: 5, y: 6}",
          "{type: 'Point', coordinates: [3, 4]}",
          "[{type: 'Point', coordinates: [3, 4]}, {type: 'Point', coordinates: [5, 6]}]",
          "{type: 'LineString', coordinates: [[1, 2], [3, 4]]}",
          "{type: 'Polygon', coordinates: [[[0, 0], [0, 5], [5, 5], [0, 0]]]}",
          "{q: [1, 2], r: 3}",
          "[{q: [1, 2], r: 3}, {q: [3, 4], r: 5}]",
          "null",
          "[]");
  private static final List<String> PLACE_UPDATES =
      List.of(
          "{$set: {'p.coordinates.0': 7}}",
          "{$set: {'p.coordinates': [8, 9]}}",
          "{$set: {'p.0': 9}}",
          "{$set: {'p.q': [5, 5]}}",
          "{$set: {'p.1.q': [6, 6]}}",
          "{$set: {'p.2.r': 4}}",
          "{$set: {'p.3.q.0': 4}}",
          "{$inc: {'p.r': 1}}",
          "{$unset: {p: 1}}",
          "{$unset: {'p.q': 1}}",
          "{$unset: {'p.coordinates': 1}}",
          "{$push: {p: [7, 8]}}",
          "{$pop: {p: 1}}",
          "[{$set: {p: '$b'}}]");

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private SplittableRandom random;
  private RandomData data;
  private RandomUpdates updates;
  private TestDatabase database;
  private boolean places;
  private long applied;

  @Test
  void entriesFollowTheDocuments(@TempDir Path directory) {
    run(directory, 12);
  }

  @Tag("faults")
  @Test
  void entriesFollowTheDocumentsForALongTime(@TempDir Path directory) {
    run(directory, 100_000 / WRITES);
  }

  private void run(Path directory, int rounds) {
    System.out.println("IndexKindsMaintenanceTest seed " + seed);
    try (var opened = TestDatabase.open(directory)) {
      database = opened;
      for (int round = 0; round < rounds; round++) {
        run(round);
      }
    }
    assertThat(applied).as("documents changed").isGreaterThan(rounds * WRITES / 4);
  }

  private void run(int round) {
    random = new SplittableRandom(seed + round);
    data = new RandomData(random);
    updates = new RandomUpdates(random, data);
    places = random.nextInt(4) == 0;
    boolean clustered = random.nextInt(4) == 0;
    database.create(clustered ? "{clusteredIndex: {key: {_id: 1}, unique: true}}" : "{}");
    boolean indexesFirst = random.nextBoolean();
    List<RawDocument> specs = someSpecs();
    if (indexesFirst) {
      build(specs);
    }
    database.insert(false, IntStream.range(0, DOCUMENTS).mapToObj(this::document).toList());
    if (!indexesFirst) {
      build(specs);
    }
    assertValid(round, "documents");
    for (int i = 0; i < WRITES; i++) {
      assertValid(round, write());
    }
    database.database().changes().reindex(database.collection(), database.operation());
    assertValid(round, "reindex");
    assertValid(round, write());
    if (round % 20 == 0) {
      database.reopen();
      assertValid(round, "restart");
      database.assertNothingLeaks();
    }
    database.database().changes().drop(database.collection(), database.operation());
  }

  private void assertValid(int round, Object last) {
    ValidationReport report = database.validate();
    assertThat(report.isValid())
        .as(() -> "seed %d round %d after %s: %s".formatted(seed, round, last, report))
        .isTrue();
    assertThat(report.records()).isEqualTo(database.collection().documents());
  }

  private List<RawDocument> someSpecs() {
    var specs = new ArrayList<RawDocument>();
    for (int i = 0; i < SPECS.size(); i++) {
      if (random.nextInt(4) == 0) {
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

  private RawDocument document(int id) {
    RawDocument document = RawDocument.of(data.document(id));
    return places && random.nextInt(5) != 0
        ? new BsonBuilder()
            .appendAll(document)
            .append("p", TestDatabase.value(pick(PLACES)))
            .toDocument()
        : document;
  }

  /** Writes and says what. */
  private Object write() {
    switch (random.nextInt(10)) {
      case 0 -> {
        RawDocument filter = RawDocument.of(data.filter());
        database.delete(filter.toJson(), false);
        return "delete " + filter.toJson();
      }
      case 1, 2 -> {
        RawDocument document = document(random.nextInt(99));
        database.insert(false, List.of(document));
        return document.toJson();
      }
      default -> {
        UpdateStatement statement =
            places && random.nextBoolean() ? ofPlace() : updates.statement(2 * DOCUMENTS);
        WriteOutcome outcome =
            database.database().update(database.operation(), TestDatabase.request(statement));
        applied += outcome.modified();
        return statement;
      }
    }
  }

  private UpdateStatement ofPlace() {
    String update =
        random.nextBoolean() ? "{$set: {p: " + pick(PLACES) + "}}" : pick(PLACE_UPDATES);
    return TestDatabase.statement(data.filter().toJson(), update, true, false);
  }

  private String pick(List<String> pool) {
    return pool.get(random.nextInt(pool.size()));
  }
}
